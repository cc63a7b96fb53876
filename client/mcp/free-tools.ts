import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { findModel } from '../cli/request.ts'
import type { Model, Task } from '../src/types.ts'
import { safely } from './content.ts'
import { atomic, lower, maxUsdc, model, task, usdc } from './limits.ts'
import type { McpOptions } from './server.ts'

const READS = { readOnlyHint: true, openWorldHint: true }

/** `list_models` and `estimate`: free, and harmless to call again. */
export function addFreeTools(server: McpServer, { coinslot, maxUsdc: cap }: McpOptions): void {
  server.registerTool(
    'list_models',
    {
      title: 'List models',
      description: 'Models with their prices in USDC. With `model`, that one alone and the schema of its input.',
      inputSchema: { task: task.optional(), model, maxUsdc: usdc.optional().describe('Only models up to this price.') },
      annotations: READS,
    },
    safely(async (wanted) => {
      const fitting = (await coinslot.models()).filter((one) => isWanted(one, wanted))
      return json({ models: fitting.map((one) => (wanted.model === undefined ? inShort(one) : one)) })
    }),
  )
  server.registerTool(
    'estimate',
    {
      title: 'Estimate a price',
      description: 'What one run of a model would cost now, and whether that is within the limits.',
      inputSchema: { task: task.optional(), model, maxUsdc },
      annotations: READS,
    },
    safely(async (args) => {
      const chosen = await findModel(coinslot, { task: args.task, model: args.model })
      const price = await coinslot.estimate({ task: chosen.task, model: chosen.id })
      const withinMaxUsdc = atomic(price.estimatedCostUsdc) <= atomic(lower(args.maxUsdc, cap))
      return json({ model: chosen.id, ...price, withinMaxUsdc })
    }),
  )
}

const json = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})

interface Wanted {
  task?: Task | undefined
  model?: string | undefined
  maxUsdc?: string | undefined
}

const isWanted = (one: Model, wanted: Wanted): boolean =>
  (wanted.task === undefined || one.task === wanted.task) &&
  (wanted.model === undefined || one.id === wanted.model) &&
  (wanted.maxUsdc === undefined || atomic(one.estimatedCostUsdc) <= atomic(wanted.maxUsdc))

/** A model without the schema of its input: sixteen of those would fill a context. */
function inShort({ inputSchema: _, example: __, ...rest }: Model) {
  return rest
}
