import { findModel } from '../../cli/request.ts'
import { publishedSigner, verifyReceipt } from '../../node/receipt.ts'
import { atomic, lower } from '../arguments.ts'
import { FREE_TOOLS, listModels } from '../tool-table.ts'
import { jsonContent } from './content.ts'
import { defineTool, type McpOptions, type Tool } from './tool.ts'

/** The tools that cost nothing. */
export function freeTools({ coinslot, maxUsdc: cap, version }: McpOptions): Tool[] {
  return [
    defineTool(FREE_TOOLS.listModels, async (filter) =>
      jsonContent(listModels(await coinslot.models(), filter), version()),
    ),
    defineTool(FREE_TOOLS.estimate, async (args) => {
      const chosen = await findModel(coinslot, { task: args.task, model: args.model })
      const price = await coinslot.estimate({ task: chosen.task, model: chosen.id })
      const withinMaxUsdc = atomic(price.estimatedCostUsdc) <= atomic(lower(args.maxUsdc, cap))
      return jsonContent({ model: chosen.id, ...price, withinMaxUsdc }, version())
    }),
    defineTool(FREE_TOOLS.status, async ({ id }) => jsonContent({ ...(await coinslot.get(id.id)) }, version())),
    defineTool(FREE_TOOLS.verifyReceipt, async ({ receipt }) => {
      const signer = publishedSigner(await coinslot.service())
      const { receipt: found, signedBy } = await verifyReceipt(receipt, signer)
      return jsonContent({ signedBy, isOfThisService: signer !== undefined, receipt: found.message }, version())
    }),
  ]
}
