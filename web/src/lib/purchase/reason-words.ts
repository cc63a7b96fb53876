import { purchaseMessages } from '../../messages/en-purchase.ts'

const reasons = purchaseMessages.reasons

/** A code as facilitators write it: `insufficient_funds`. */
const CODE = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/

const WORDS: [pattern: RegExp, words: string][] = [
  [/insufficient|balance|funds/, reasons.funds],
  [/nonce|used|spent|duplicate/, reasons.used],
  [/signature|recover/, reasons.signature],
  [/expired|lapsed|valid_before|valid_after|time/, reasons.expired],
]

/** The detail of a problem for people. A text with a facilitator's code becomes a sentence; any other text stays. */
export function reasonWords(detail: string): string {
  const code = CODE.exec(detail)?.[0]
  if (code === undefined) return detail
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? reasons.other
}
