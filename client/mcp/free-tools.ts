import * as z from 'zod'
import { findModel } from '../cli/request.ts'
import type { Model, Task } from '../src/types.ts'
import { atomic, lower, maxUsdc, model, task, usdc } from './arguments.ts'
import { jsonContent } from './content.ts'
import { defineTool, type McpOptions, type Tool } from './tool.ts'

const READS = { readOnlyHint: true, openWorldHint: true }

/** `list_models` and `estimate` cost nothing. */
export function freeTools({ coinslot, maxUsdc: cap, version }: McpOptions): Tool[] {
  return [
    defineTool({
      name: 'list_models',
      title: 'List models',
      description: 'Models with their prices in USDC. With `model`, that one alone and the schema of its input.',
      input: z.object({
        task: task.optional(),
        model,
        maxUsdc: usdc.optional().describe('Only models up to this price.'),
      }),
      annotations: READS,
      call: async (filter) => {
        const models = (await coinslot.models()).filter((one) => matches(one, filter))
        return jsonContent(
          { models: models.map((one) => (filter.model === undefined ? inShort(one) : one)) },
          version(),
        )
      },
    }),
    defineTool({
      name: 'estimate',
      title: 'Estimate a price',
      description: 'What one run of a model would cost now, and whether that is within the limits.',
      input: z.object({ task: task.optional(), model, maxUsdc }),
      annotations: READS,
      call: async (args) => {
        const chosen = await findModel(coinslot, { task: args.task, model: args.model })
        const price = await coinslot.estimate({ task: chosen.task, model: chosen.id })
        const withinMaxUsdc = atomic(price.estimatedCostUsdc) <= atomic(lower(args.maxUsdc, cap))
        return jsonContent({ model: chosen.id, ...price, withinMaxUsdc }, version())
      },
    }),
  ]
}

interface Filter {
  task?: Task | undefined
  model?: string | undefined
  maxUsdc?: string | undefined
}

const matches = (one: Model, filter: Filter): boolean =>
  (filter.task === undefined || one.task === filter.task) &&
  (filter.model === undefined || one.id === filter.model) &&
  (filter.maxUsdc === undefined || atomic(one.estimatedCostUsdc) <= atomic(filter.maxUsdc))

/** A model without the schema of its input. A list of all schemas would fill a model's context. */
function inShort({ inputSchema: _, example: __, ...rest }: Model) {
  return rest
}
