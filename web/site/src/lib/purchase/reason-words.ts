import type { Problem } from '@coinslot/client/problem'
import { purchaseMessages } from '../../messages/active.ts'

/** A code as facilitators write it: `insufficient_funds`. */
const CODE = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/

const WORDS: [pattern: RegExp, reason: keyof typeof purchaseMessages.reasons][] = [
  [/insufficient|balance|funds/, 'funds'],
  [/nonce|used|spent|duplicate/, 'used'],
  [/signature|recover/, 'signature'],
  [/expired|lapsed|valid_before|valid_after|time/, 'expired'],
]

/** A sentence for a problem's detail that contains a facilitator's code, or null for any other text. */
export function reasonWords(detail: string): string | null {
  const code = CODE.exec(detail)?.[0]
  if (code === undefined) return null
  return purchaseMessages.reasons[WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other']
}

/** The title of a problem in the page's language, or the service's own title. */
export const problemTitle = ({ code, title }: Pick<Problem, 'code' | 'title'>): string =>
  purchaseMessages.problems[code] ?? title
