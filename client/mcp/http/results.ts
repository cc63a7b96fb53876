import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { fromHeader } from '../../../protocol/base64.ts'
import { ReceiptError } from '../../node/errors.ts'
import { isFields } from '../../src/json-fields.ts'
import { boughtResult, errorResult, jsonResult, problemAdvice, textResult } from '../results.ts'
import { ArgumentsError } from '../tool.ts'
import { type Answer, ApiProblem, ApiTimeout } from './api.ts'
import { PAYMENT_ERROR, PAYMENT_RESPONSE } from './payment.ts'

/** The price, or the challenge to sign in with, as x402's clients for MCP read it. */
function paymentRequiredResult(required: Record<string, unknown>): CallToolResult {
  return { isError: true, ...jsonResult(required), _meta: { [PAYMENT_ERROR]: required } }
}

/** A tool's error as a result; null for an unexpected error. */
export function knownFailure(error: unknown): CallToolResult | null {
  if (error instanceof ApiProblem) return refusalResult(error)
  const isForCaller = error instanceof ApiTimeout || error instanceof ArgumentsError || error instanceof ReceiptError
  return isForCaller ? errorResult(error.message) : null
}

const ranSchema = z.object({
  id: z.string(),
  output: z.union([
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.enum(['image', 'audio']), urls: z.array(z.string()) }),
  ]),
  metrics: z.object({ paymentAmount: z.string(), estimatedCostUsdc: z.string(), paymentTxHash: z.string().nullable() }),
})

const NOT_READY =
  'Paid, and not ready yet. Ask `status` with the statusUrl below, or call the tool again with the same arguments and payment: ' +
  'that is not paid twice.'

/** The answer of a call that buys, as the result of the tool. */
export function purchaseResult(answer: Answer): CallToolResult {
  const result = resultOf(answer)
  const settled = fromHeader(answer.headers.get('Payment-Response') ?? '')
  if (!isFields(settled)) return result
  return { ...result, _meta: { ...result._meta, [PAYMENT_RESPONSE]: settled } }
}

function resultOf(answer: Answer): CallToolResult {
  const { status, body } = answer
  if (status === 200) return boughtResult(ranSchema.parse(body))
  if (status === 202) return textResult(`${NOT_READY}\n${JSON.stringify(body)}`, body)
  return refusalResult(new ApiProblem(answer))
}

/** A refusal: a 402 in x402's form, anything else as a problem. */
function refusalResult({ message, problem, status, body }: ApiProblem): CallToolResult {
  if (status === 402 && Array.isArray(body['accepts'])) return paymentRequiredResult(body)
  return errorResult([message, ...problemAdvice(problem)].join('\n'), { problem: problem.document })
}
