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

/** The start of a text, cut at a word, with an ellipsis if it was cut. */
export function excerptOf(text: string, length: number): string {
  const cut = startOf(text, length)
  if (cut === text) return text
  const end = cut.search(/\s\S*$/)
  let kept = end > length / 2 ? cut.slice(0, end) : cut
  while (/[\s.,;:]/.test(kept.slice(-1))) kept = kept.slice(0, -1)
  return `${kept}…`
}
