import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { type HttpAnswer, jsonOf } from '../../lib/http.ts'
import { excerpt } from '../../lib/text.ts'
import type { SettleOutcome, VerifyOutcome } from './facilitator.ts'
import { classifyReason } from './facilitator.ts'

type Answer = Pick<HttpAnswer, 'status' | 'text'>

const optionalText = once(() => z.string().nullish())

const verifySchema = once(() =>
  z.object({ isValid: z.boolean(), invalidReason: optionalText(), invalidMessage: optionalText() }),
)

const settleSchema = once(() =>
  z.object({
    success: z.boolean(),
    errorReason: optionalText(),
    errorMessage: optionalText(),
    payer: optionalText(),
    transaction: optionalText(),
    network: optionalText(),
  }),
)

/** Such an answer is about the facilitator and not about the payment, whatever its body. */
const isServerFault = (status: number): boolean => status === 429 || status >= 500

const wordsOf = ({ status, text }: Answer): string => excerpt(`status ${status}: ${text}`)

/** The meaning of an answer of `/verify`: the body decides under 200 and 400 alike, as facilitators use both. */
export function readVerify(answer: Answer): VerifyOutcome {
  const body = verifySchema().safeParse(jsonOf(answer.text))
  if (isServerFault(answer.status) || !body.success) return { kind: 'unavailable', detail: wordsOf(answer) }
  if (body.data.isValid) return { kind: 'valid' }
  const reason = body.data.invalidReason || body.data.invalidMessage || 'invalid_payment'
  return { kind: 'invalid', reason: excerpt(reason) }
}

/**
 * The meaning of an answer of `/settle`. Only a clear yes (a 32-byte hash on our network, by our payer where one is named) is
 * `settled`; only a clear no (no transaction, and a reason about this payment) is `refused`; the rest is `unknown`.
 */
export function readSettle(answer: Answer, expected: { network: string; payer: string }): SettleOutcome {
  const parsed = settleSchema().safeParse(jsonOf(answer.text))
  if (!parsed.success) return { kind: 'unknown', reason: wordsOf(answer) }
  const body = parsed.data
  const transaction = hashOf(body.transaction)
  const unknown = (reason: string): SettleOutcome =>
    transaction === null ? { kind: 'unknown', reason } : { kind: 'unknown', reason, transaction }

  if (isServerFault(answer.status)) return unknown(wordsOf(answer))
  if (body.success) {
    const fault = successFault(body, expected)
    return fault === null && transaction !== null
      ? { kind: 'settled', transaction }
      : unknown(fault ?? 'no_transaction_hash')
  }
  const reason = excerpt(body.errorReason || body.errorMessage || '')
  const clear = ['refusal', 'signature'].includes(classifyReason(reason))
  return clear && !body.transaction ? { kind: 'refused', reason } : unknown(reason || 'no_reason_given')
}

function successFault(
  body: z.infer<ReturnType<typeof settleSchema>>,
  expected: { network: string; payer: string },
): string | null {
  if (body.network !== expected.network) return 'settled_on_other_network'
  return body.payer && body.payer.toLowerCase() !== expected.payer.toLowerCase() ? 'settled_by_other_payer' : null
}

/** In lower case, since hashes are kept unique. */
const hashOf = (transaction: string | null | undefined): string | null =>
  transaction && /^0x[0-9a-fA-F]{64}$/.test(transaction) ? transaction.toLowerCase() : null
