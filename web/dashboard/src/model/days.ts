const DAY_SECONDS = 86_400
/** More days than this are shown as weeks, so that a bar stays wide enough to see. */
const MOST_DAYS = 92
const WEEK_DAYS = 7

/** One bar: a day or a week of UTC. */
export interface Bucket {
  /** First day, `2026-11-27`. */
  date: string
  /** One sum for each series. */
  parts: bigint[]
  /** The sum of all series up to the end of the bucket. */
  running: bigint
}

export interface Dated {
  /** Unix seconds. */
  at: number
  series: number
  amount: bigint
}

export interface Buckets {
  unit: 'day' | 'week'
  list: Bucket[]
}

const dayOf = (at: number): number => Math.floor(at / DAY_SECONDS)
const isoOf = (day: number): string => new Date(day * DAY_SECONDS * 1_000).toISOString().slice(0, 10)

/** Sums by day from the first entry to `until`, days without an entry included; by week when there are more than 92 days. */
export function bucketsOf(entries: readonly Dated[], series: number, until: number): Buckets {
  const days = entries.map(({ at }) => dayOf(at))
  if (days.length === 0) return { unit: 'day', list: [] }
  const first = Math.min(...days)
  const last = Math.max(dayOf(until), ...days)
  const length = last - first + 1 > MOST_DAYS ? WEEK_DAYS : 1
  const list = Array.from({ length: Math.ceil((last - first + 1) / length) }, (_, index): Bucket => {
    return { date: isoOf(first + index * length), parts: Array.from({ length: series }, () => 0n), running: 0n }
  })
  for (const { at, series: index, amount } of entries) {
    const bucket = list[Math.floor((dayOf(at) - first) / length)]
    if (bucket !== undefined) bucket.parts[index] = (bucket.parts[index] ?? 0n) + amount
  }
  let running = 0n
  for (const bucket of list) {
    running += bucket.parts.reduce((sum, part) => sum + part, 0n)
    bucket.running = running
  }
  return { unit: length === 1 ? 'day' : 'week', list }
}
