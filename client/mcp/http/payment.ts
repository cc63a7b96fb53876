import { toHeader } from '../../../protocol/base64.ts'
import { fieldsAt, isFields, isText, isTooDeep, parseJson, textAt } from '../../src/json-fields.ts'

/** Keys of x402's binding to MCP. Source: x402 specification, transports, MCP. */
export const PAYMENT = 'x402/payment'
export const PAYMENT_ERROR = 'x402/error'
export const PAYMENT_RESPONSE = 'x402/payment-response'

/** The payment of a call, which clients send as an object or as base64 of its JSON; undefined without one. */
export function paymentIn(meta: Record<string, unknown> | undefined): unknown {
  const payment = meta?.[PAYMENT]
  return isText(payment) ? (decode(payment) ?? payment) : payment
}

/** The header `Payment-Signature` of a payment. The API refuses what is not one. */
export const paymentHeader = (payment: unknown): string => toHeader(payment)

/**
 * The JSON in base64; undefined when it is not valid, or nests too deep. Some clients encode with `btoa`, which writes one byte for
 * each character of Latin-1 instead of UTF-8.
 */
function decode(base64: string): unknown {
  try {
    const characters = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    const value = parseJson(utf8(characters) ?? characters)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

function utf8(characters: string): string | undefined {
  try {
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The extension in which a price names the model that the server chose. Clients send it back with the payment. */
const CHOSEN_MODEL = 'chosen-model'

/** A 402 with the chosen model. The default may have changed when the payment comes, and it must buy what it was quoted for. */
export function withChosenModel(required: Record<string, unknown>, id: string): Record<string, unknown> {
  const extensions = fieldsAt(required, 'extensions')
  return { ...required, extensions: { ...extensions, [CHOSEN_MODEL]: { info: { id }, schema: {} } } }
}

/** The model that was chosen when this payment was quoted. */
export function chosenModel(payment: unknown): string | undefined {
  if (!isFields(payment)) return undefined
  return textAt(fieldsAt(fieldsAt(fieldsAt(payment, 'extensions'), CHOSEN_MODEL), 'info'), 'id')
}
