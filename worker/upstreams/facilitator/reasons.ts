/**
 * The subject of a facilitator's reason. Facilitators word their reasons each in their own way and add new ones,
 * so they are sorted by class and never matched against a full list; the raw text is what gets shown.
 */
export type ReasonClass = 'nonce_used' | 'signature' | 'unclear' | 'refusal'

/** The authorization is spent or cancelled: the chain knows by whom and when. */
const NONCE_USED =
  /nonce.*(used|spent|cancel)|(used|spent|cancel).*nonce|authorization.*(used|spent|cancel)|already_(settled|used|spent)/
/** Nothing is said about the money: it may have moved, may move yet, or the facilitator itself is at a loss. */
const UNCLEAR =
  /pending|in_progress|processing|time_?d?_?out|duplicate|unexpected|unknown|internal|node_failure|unavailable/

/** Sorts a reason of `/verify` or `/settle`. An empty one is unclear. */
export function classifyReason(reason: string): ReasonClass {
  const words = reason.toLowerCase().replace(/[\s-]+/g, '_')
  if (words === '' || UNCLEAR.test(words)) return 'unclear'
  if (NONCE_USED.test(words)) return 'nonce_used'
  return /signature/.test(words) ? 'signature' : 'refusal'
}
