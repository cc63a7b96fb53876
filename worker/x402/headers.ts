import * as z from 'zod'
import { once } from '../../db/once.ts'
import { fromHeader } from '../../protocol/base64.ts'
import { chainIdOf } from '../../protocol/networks.ts'
import { AppError, fieldErrors } from '../errors.ts'
import { type PaymentPayload, paymentPayloadSchema } from './schemas.ts'

/** Far above any honest payment (a 4 KiB signature in base64 is 11 KiB), far below what hurts. */
const MAX_HEADER_CHARACTERS = 32 * 1024

/**
 * The JSON of a payment header: base64 or base64url, padded or not.
 * Throws `AppError invalid_payment_header` when it is too long or anything but that.
 */
export function decodePaymentHeader(header: string): unknown {
  if (header.length > MAX_HEADER_CHARACTERS) throw unreadable('It is longer than 32 KiB.')
  const value = fromHeader(header)
  if (value === undefined) throw unreadable('It is not base64 of JSON in UTF-8.')
  return value
}

/** The payment in a `Payment-Signature` header. Throws `AppError invalid_payment_header` that names every fault. */
export function decodePaymentSignature(header: string): PaymentPayload {
  const parsed = paymentPayloadSchema().safeParse(decodePaymentHeader(header))
  const named = parsed.success ? identifierSchema().safeParse(parsed.data.extensions ?? {}) : parsed
  if (parsed.success && named.success) return parsed.data
  const errors = named.success ? [] : fieldErrors(named.error)
  throw new AppError('invalid_payment_header', {
    detail: 'It is not a payment of x402 version 2 with the scheme "exact".',
    errors,
    paymentState: 'unused',
    nextAction: 'fix_request',
  })
}

const unreadable = (detail: string): AppError =>
  new AppError('invalid_payment_header', { detail, paymentState: 'unused', nextAction: 'fix_request' })

/** x402's extension payment-identifier: a client that was offered it may give its payment a name. */
export const PAYMENT_IDENTIFIER = 'payment-identifier'
const identifierSchema = once(() => {
  const id = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/, '16 to 128 letters, digits, - and _')
  return z.object({ [PAYMENT_IDENTIFIER]: z.object({ info: z.object({ id: id.optional() }) }).optional() })
})

/** The buyer's own name for this payment; null without one. */
export const identifierOf = ({ extensions }: PaymentPayload): string | null =>
  identifierSchema().parse(extensions ?? {})[PAYMENT_IDENTIFIER]?.info.id ?? null

const echoedQuote = once(() => z.object({ quote: z.object({ info: z.object({ token: z.string() }) }) }))

/** The signed quote that the client echoed in `extensions.quote.info.token`; null when there is none. */
export function quoteTokenOf(payload: PaymentPayload): string | null {
  const parsed = echoedQuote().safeParse(payload.extensions)
  return parsed.success ? parsed.data.quote.info.token : null
}

/** The journal's key of an authorization, all in lower case. */
export function journalKeyOf({ accepted, payload: { authorization } }: PaymentPayload) {
  return {
    chainId: chainIdOf(accepted.network),
    asset: accepted.asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce.toLowerCase(),
  }
}
