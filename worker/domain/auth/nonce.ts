import { fromBase64, toBase64Url } from '../../../protocol/base64.ts'
import type { Config } from '../../config/config.ts'
import { makeTextSigner } from '../../lib/text-signer.ts'

/** How long a nonce may be used. */
export const NONCE_SECONDS = 600

const TIME_DIGITS = 8
const RANDOM_BYTES = 10
const SIGNED_DIGITS = TIME_DIGITS + 2 * RANDOM_BYTES
const MAC_DIGITS = 64

type NonceConfig = Pick<Config, 'sessionSecret' | 'sessionSecretPrevious' | 'publicOrigins'>

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** The purpose of a nonce. One made for one use is worthless for the other, so no request's proof becomes a cookie. */
export type NonceUse = 'nonce' | 'challenge'

/**
 * A nonce that proves itself: time (8 hex digits, seconds), 80 random bits and an HMAC over both; 92 letters and digits.
 * Making one costs no database call. The statement that uses it makes it single-use.
 */
export function makeNonce(config: NonceConfig, now: Date, use: NonceUse = 'nonce'): string {
  const time = Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(TIME_DIGITS, '0')
  const text = time + toHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))
  const mac = fromBase64(makeTextSigner(config, use).sign(text))
  if (mac === null) throw new Error('the signer returned no base64')
  return text + toHex(mac)
}

/** True when the nonce was made by this service for this use and was made within the last 10 minutes. */
export function isFreshNonce(config: NonceConfig, nonce: string, now: Date, use: NonceUse = 'nonce'): boolean {
  if (!new RegExp(`^[0-9a-f]{${SIGNED_DIGITS + MAC_DIGITS}}$`).test(nonce)) return false
  const text = nonce.slice(0, SIGNED_DIGITS)
  const ageSeconds = now.getTime() / 1000 - Number.parseInt(text.slice(0, TIME_DIGITS), 16)
  if (ageSeconds < -1 || ageSeconds > NONCE_SECONDS) return false
  return makeTextSigner(config, use).verify(text, toBase64Url(fromHex(nonce.slice(SIGNED_DIGITS))))
}
