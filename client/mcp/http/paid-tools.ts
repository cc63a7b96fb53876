import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { formatAmount, USDC_DECIMALS } from '../../../protocol/money.ts'
import type { Task } from '../../src/types.ts'
import { atomic, inputFields } from '../arguments.ts'
import { errorResult } from '../results.ts'
import { defineTool, type Tool } from '../tool.ts'
import { PAID_TOOLS, type PaidArguments } from '../tool-table.ts'
import { defaultId, requestFor } from './models.ts'
import { chosenModel, paymentHeader, paymentIn, withChosenModel } from './payment.ts'
import { purchaseResult } from './results.ts'
import type { HttpCall } from './tool.ts'

const { generateImage, writeText, speak } = PAID_TOOLS

export const PAID: readonly Tool<HttpCall>[] = [
  defineTool(generateImage, (args, call) => buy(generateImage.task, args.prompt, args, call)),
  defineTool(writeText, (args, call) => buy(writeText.task, args.prompt, args, call)),
  defineTool(speak, (args, call) => buy(speak.task, args.text, args, call)),
]

/** One `POST /api/inference`: with a payment the purchase, without one its price. */
async function buy(task: Task, prompt: string, args: PaidArguments, call: HttpCall): Promise<CallToolResult> {
  const payment = paymentIn(call.meta)
  const models = await call.models(call.api)
  const model = args.model ?? chosenModel(payment) ?? defaultId(models, task)
  const request = requestFor(models, { task, model, prompt }, inputFields(args.input))
  const headers = payment === undefined ? {} : { 'Payment-Signature': paymentHeader(payment) }
  const answer = await call.api.post('/mcp/inference', request, headers)
  const price = answer.status === 402 ? lowestPrice(answer.body) : null
  if (price === null) return purchaseResult(answer)
  if (args.maxUsdc !== undefined && price > atomic(args.maxUsdc)) return tooDear(price, args.maxUsdc)
  return purchaseResult(args.model === undefined ? { ...answer, body: withChosenModel(answer.body, model) } : answer)
}

const offersSchema = z.object({ accepts: z.array(z.object({ amount: z.string().regex(/^\d+$/) })).min(1) })

/** In atomic units of USDC: the other token has 18 decimals, so the lowest number is the one in USDC. Null without a price. */
function lowestPrice(body: Record<string, unknown>): bigint | null {
  const offers = offersSchema.safeParse(body)
  if (!offers.success) return null
  const [lowest = null] = offers.data.accepts.map(({ amount }) => BigInt(amount)).sort((a, b) => (a < b ? -1 : 1))
  return lowest
}

/** Without the offers, so that no client pays. */
const tooDear = (price: bigint, maxUsdc: string): CallToolResult =>
  errorResult(
    `The price is ${formatAmount(price, USDC_DECIMALS)} USDC, which is above maxUsdc ${maxUsdc}. Nothing was charged.`,
  )
