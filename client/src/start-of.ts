/** Created at first use: it takes a phone some milliseconds. */
let characters: Intl.Segmenter | undefined

/**
 * The start of a text: at most `length` UTF-16 units. No character is cut, also none of several code points.
 *
 * @example startOf('ab👨‍👩‍👧', 5) // 'ab'
 */
export function startOf(text: string, length: number): string {
  if (text.length <= length) return text
  characters ??= new Intl.Segmenter()
  return text.slice(0, characters.segment(text).containing(length)?.index)
}
