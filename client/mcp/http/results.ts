import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { fromHeader } from '../../../protocol/header.ts'
import { isFields } from '../../src/json-fields.ts'
import { problemAdvice } from '../tool-table.ts'
import { type Answer, ApiProblem, ApiTimeout } from './api.ts'
import { PAYMENT_ERROR, PAYMENT_RESPONSE } from './payment.ts'

const textBlock = (text: string) => ({ type: 'text' as const, text })

/** Data as a tool result: its JSON as text, and the same in `structuredContent`. */
export const jsonResult = (value: Record<string, unknown>): CallToolResult => ({
  content: [textBlock(JSON.stringify(value))],
  structuredContent: value,
})

/** A text, and the facts beside it for clients that read `structuredContent` alone. */
const textResult = (text: string, facts: Record<string, unknown>): CallToolResult => ({
  content: [textBlock(text)],
  structuredContent: { text, ...facts },
})

/** What the caller did wrong, or what cannot be done. */
export const errorResult = (text: string, facts: Record<string, unknown> = {}): CallToolResult => ({
  isError: true,
  ...textResult(text, facts),
})

/** The price, or the challenge to sign in with, as x402's clients for MCP read it. */
export function paymentRequiredResult(required: Record<string, unknown>): CallToolResult {
  return { isError: true, ...jsonResult(required), _meta: { [PAYMENT_ERROR]: required } }
}

/** What a tool threw, as a result; null for an unexpected error. */
export function failureResult(error: unknown): CallToolResult | null {
  if (error instanceof ApiTimeout) return errorResult(error.message)
  return error instanceof ApiProblem ? problemResult(error) : null
}

const problemResult = ({ message, problem }: ApiProblem): CallToolResult =>
  errorResult([message, ...problemAdvice(problem)].join('\n'), { problem: problem.document })

const ranSchema = z.object({
  id: z.string(),
  output: z.union([
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.enum(['image', 'audio']), urls: z.array(z.string()) }),
  ]),
  metrics: z.object({ paymentAmount: z.string(), estimatedCostUsdc: z.string(), paymentTxHash: z.string() }),
})

/** A finished purchase: the text, or the permanent links. */
function ranResult(body: Record<string, unknown>): CallToolResult {
  const { id, output, metrics } = ranSchema.parse(body)
  const { paymentAmount: paidAtomic, estimatedCostUsdc, paymentTxHash: transaction } = metrics
  const paid = { id, paidAtomic, estimatedCostUsdc, transaction }
  if (output.type === 'text') return textResult(output.text, paid)
  const { urls } = output
  const { content, ...rest } = textResult(`Permanent link:\n${urls.join('\n')}`, { urls, ...paid })
  const links = urls.map((uri, at) => ({ type: 'resource_link' as const, uri, name: `${id}-${at + 1}` }))
  return { content: [...content, ...links], ...rest }
}

const NOT_READY =
  'Paid, and not ready yet. Ask `status` with the statusUrl below, or call the tool again with the same arguments and payment: ' +
  'that is not paid twice.'

/** The answer of a call that buys, as the result of the tool. */
export function purchaseResult(answer: Answer): CallToolResult {
  const { status, headers, body } = answer
  const result = resultOf(answer)
  const settled = fromHeader(headers.get('Payment-Response') ?? '')
  if (!isFields(settled)) return result
  return { ...result, _meta: { ...result._meta, [PAYMENT_RESPONSE]: settled } }

  function resultOf(of: Answer): CallToolResult {
    if (status === 200) return ranResult(body)
    if (status === 202) return textResult(`${NOT_READY}\n${JSON.stringify(body)}`, body)
    return refusalResult(of)
  }
}

/** A refusal: a 402 in x402's form, anything else as a problem. */
export function refusalResult(answer: Answer): CallToolResult {
  const isRequired = answer.status === 402 && Array.isArray(answer.body['accepts'])
  return isRequired ? paymentRequiredResult(answer.body) : problemResult(new ApiProblem(answer))
}
