/** Cuts a text that arrives in pieces before the first of its stop texts. */
export interface StopCutter {
  /** The text that may be shown now: a piece that may be the start of a stop waits for what follows. */
  push(piece: string): string
  /** The text that was waiting when the stream ended. */
  end(): string
  /** True once a stop was found. */
  readonly isCut: () => boolean
}

/** One stop text, and how much of it the text read so far ends with: the search of Knuth, Morris and Pratt. */
interface Search {
  stop: string
  failures: number[]
  matched: number
}

/** For each length of a start of `stop`: how long the next shorter start is that it ends with. */
function failuresOf(stop: string): number[] {
  const failures = [0]
  let length = 0
  for (let index = 1; index < stop.length; index += 1) {
    while (length > 0 && stop[index] !== stop[length]) length = failures[length - 1] ?? 0
    if (stop[index] === stop[length]) length += 1
    failures.push(length)
  }
  return failures
}

/** Reads one more unit of the text. Returns whether the stop is complete. */
function step(search: Search, unit: string | undefined): boolean {
  const { stop, failures } = search
  while (search.matched > 0 && stop[search.matched] !== unit) search.matched = failures[search.matched - 1] ?? 0
  if (stop[search.matched] === unit) search.matched += 1
  return search.matched === stop.length
}

/** A cutter of one text. It takes time in proportion to the text, however long the stops are. */
export function makeStopCutter(stops: readonly string[]): StopCutter {
  const searches = stops.map((stop): Search => ({ stop, failures: failuresOf(stop), matched: 0 }))
  /** The text that was read and not shown, and where it begins. */
  let waiting = ''
  let start = 0
  let position = 0
  let cutAt = Infinity
  const showUpTo = (end: number): string => {
    const shown = waiting.slice(0, Math.max(0, end - start))
    waiting = waiting.slice(shown.length)
    start += shown.length
    return shown
  }
  const read = (unit: string | undefined): void => {
    position += 1
    for (const search of searches) {
      if (search.matched === search.stop.length) continue
      if (step(search, unit)) cutAt = Math.min(cutAt, position - search.stop.length)
    }
  }
  return {
    push(piece) {
      waiting += piece
      for (let index = 0; index < piece.length; index += 1) read(piece[index])
      const open = searches
        .filter(({ stop, matched }) => matched < stop.length)
        .map(({ matched }) => position - matched)
      return showUpTo(Math.min(cutAt, position, ...open))
    },
    end: () => showUpTo(Math.min(cutAt, position)),
    isCut: () => cutAt !== Infinity,
  }
}

/**
 * A whole text up to the first of its stops.
 *
 * @example cutAtStop('one two three', ['two']) // { text: 'one ', isCut: true }
 */
export function cutAtStop(text: string, stops: readonly string[]): { text: string; isCut: boolean } {
  const cutter = makeStopCutter(stops)
  return { text: cutter.push(text) + cutter.end(), isCut: cutter.isCut() }
}
