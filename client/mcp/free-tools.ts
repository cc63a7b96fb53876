import { assertReceiptOf, publishedService, verifyReceipt } from '../node/receipt.ts'
import type { Task } from '../src/types.ts'
import { atomic, lower } from './arguments.ts'
import { jsonResult } from './results.ts'
import { defineTool, type Tool } from './tool.ts'
import { FREE_TOOLS, listModels, type PricedModel } from './tool-table.ts'

interface Chosen {
  id: string
  task: Task
}

/** The calls of the free tools to the service, in the way of each entry. */
export interface FreeCalls {
  models(): Promise<readonly PricedModel[]>
  /** The model that a purchase with these arguments would run. */
  choose(asked: { task: Task | undefined; model: string | undefined }): Promise<Chosen>
  price(chosen: Chosen): Promise<{ estimatedCostUsdc: string }>
  /** The most that any call may cost, a decimal string of USDC; undefined where the caller pays by itself. */
  maxUsdc: string | undefined
  purchase(reference: { id: string; key: string | undefined }): Promise<Record<string, unknown>>
  /** The content of `/.well-known/coinslot.json`. */
  service(): Promise<unknown>
}

/** The tools that cost nothing. */
export const FREE: readonly Tool<{ free: FreeCalls }>[] = [
  defineTool(FREE_TOOLS.listModels, async (filter, { free }) => jsonResult(listModels(await free.models(), filter))),

  defineTool(FREE_TOOLS.estimate, async ({ task, model, maxUsdc }, { free }) => {
    const chosen = await free.choose({ task, model })
    const price = await free.price(chosen)
    const most = lower(maxUsdc, free.maxUsdc)
    const withinMaxUsdc = most === undefined || atomic(price.estimatedCostUsdc) <= atomic(most)
    return jsonResult({ model: chosen.id, ...price, withinMaxUsdc })
  }),

  defineTool(FREE_TOOLS.status, async ({ id: { id, key } }, { free }) => jsonResult(await free.purchase({ id, key }))),

  defineTool(FREE_TOOLS.verifyReceipt, async ({ receipt }, { free }) => {
    const service = publishedService(await free.service())
    const { receipt: found, signedBy } = await verifyReceipt(receipt, service?.signer)
    if (service !== undefined) assertReceiptOf(found, service.origin)
    return jsonResult({ signedBy, isOfThisService: service !== undefined, receipt: found.message })
  }),
]
