/** The beginning of a text, whole words of it, with an ellipsis where something was left out. */
export function excerptOf(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  const end = cut.search(/\s\S*$/)
  // A script without spaces is cut between characters, never within one.
  const kept = end > length / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return `${kept.replace(/[\s.,;:]+$/, '')}…`
}
