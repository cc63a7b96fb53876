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
