/** The address if it is http or https, else null. */
export function safeUrl(url: string): string | null {
  try {
    const { protocol, href } = new URL(url)
    return protocol === 'https:' || protocol === 'http:' ? href : null
  } catch {
    return null
  }
}

/** `0x19E7…ff2A`: first six and last four characters. */
export function shortHex(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex
}

/** The start of a text, cut at a word, with an ellipsis if it was cut. */
export function excerptOf(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  const end = cut.search(/\s\S*$/)
  // Text without spaces is cut between characters, never within one.
  const kept = end > length / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return `${kept.replace(/[\s.,;:]+$/, '')}…`
}
