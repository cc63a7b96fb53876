import { inBinary } from '../../../../protocol/base64.ts'
import type { PaymentRequired } from '../../../x402/schemas.ts'

/** A challenge and its `Payment-Required` header. */
export interface WrittenChallenge {
  required: PaymentRequired
  header: string
}

/** A challenge that may be written often: all but its quote is put into JSON and base64 once. */
export interface ChallengeText {
  with(token: string, unixSeconds: number): WrittenChallenge
}

const EMPTY = { token: '', expiresAt: '' }
const PLACE = JSON.stringify(EMPTY)

/** Blanks, which JSON allows between its parts, up to a whole number of three bytes: base64 of the parts can then be joined. */
const padded = (binary: string): string => binary + ' '.repeat((3 - (binary.length % 3)) % 3)

export function makeChallengeText(withoutQuote: PaymentRequired): ChallengeText {
  const extensions = { quote: { info: EMPTY, schema: {} }, ...withoutQuote.extensions }
  const json = JSON.stringify({ ...withoutQuote, extensions })
  // Text in JSON has its quotes escaped, so this is found nowhere else.
  const at = json.indexOf(PLACE)
  const start = btoa(padded(inBinary(json.slice(0, at))))
  const end = btoa(inBinary(json.slice(at + PLACE.length)))
  return {
    with(token, unixSeconds) {
      const expiresAt = new Date(unixSeconds * 1000).toISOString()
      return {
        required: { ...withoutQuote, extensions: { ...extensions, quote: { info: { token, expiresAt }, schema: {} } } },
        // Nothing in a token or a time is escaped in JSON.
        header: start + btoa(padded(`{"token":"${token}","expiresAt":"${expiresAt}"}`)) + end,
      }
    },
  }
}
