const MAX_EXCERPT = 200
/** UTF-16 units after the cut in which the character that crosses it must end. */
const LONGEST = 64
let characters: Intl.Segmenter | undefined

/**
 * The start of a text: at most `count` code points, as JSON Schema counts. No character is cut, also none of several code points, except
 * a first one that is longer than `count`.
 *
 * @example firstCharacters('a🙂b', 2) // 'a🙂'
 */
export function firstCharacters(text: string, count: number): string {
  const start = Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('')
  if (start.length === text.length) return text
  characters ??= new Intl.Segmenter()
  const crossed = characters.segment(text.slice(0, start.length + LONGEST)).containing(start.length)
  return start.slice(0, crossed?.index) || start
}

/** At most 200 characters of an upstream's text, on one line, for logs and records. */
export const excerpt = (text: string): string => firstCharacters(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), MAX_EXCERPT)

/**
 * The text without these characters at its end, in one pass: a pattern such as `/x+$/` tries each run of `x` from each of its places.
 *
 * @example trimEnd('https://example.com//', '/') // 'https://example.com'
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
