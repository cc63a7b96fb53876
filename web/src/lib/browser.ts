import { startOf } from '@coinslot/client/start-of'

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
  const cut = startOf(text, length)
  if (cut === text) return text
  const end = cut.search(/\s\S*$/)
  const kept = end > length / 2 ? cut.slice(0, end) : cut
  return `${kept.replace(/[\s.,;:]+$/, '')}…`
}
