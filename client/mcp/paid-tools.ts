import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { findModel, makeRequest } from '../cli/request.ts'
import type { Task } from '../src/types.ts'
import { input, inputFields, lower, maxUsdc, model, words } from './arguments.ts'
import { resultContent } from './content.ts'
import { progressTo } from './progress.ts'
import { defineTool, type Extra, type McpOptions, type Tool } from './tool.ts'

const PAYS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }

const commonArguments = { model, input, maxUsdc }
type CommonArguments = z.infer<z.ZodObject<typeof commonArguments>>

/** `generate_image`, `write_text` and `speak`. Each makes one payment, and sends the same one again after an interruption. */
export function paidTools(options: McpOptions): Tool[] {
  const prompt = words('What to make, in plain words.')
  return [
    defineTool({
      name: 'generate_image',
      title: 'Generate an image',
      description: 'Makes an image from a prompt and returns it with its permanent link. Costs USDC; see estimate.',
      input: z.object({ prompt, ...commonArguments }),
      annotations: PAYS,
      call: (args, extra) => buy(options, 'text-to-image', args.prompt, args, extra),
    }),
    defineTool({
      name: 'write_text',
      title: 'Write a text',
      description: 'Returns the answer of a language model to a prompt. Costs USDC; see estimate.',
      input: z.object({ prompt, ...commonArguments }),
      annotations: PAYS,
      call: (args, extra) => buy(options, 'text-to-text', args.prompt, args, extra),
    }),
    defineTool({
      name: 'speak',
      title: 'Speak a text',
      description: 'Reads a text aloud and returns the sound with its permanent link. Costs USDC; see estimate.',
      input: z.object({ text: words('The text to read aloud.'), ...commonArguments }),
      annotations: PAYS,
      call: (args, extra) => buy(options, 'text-to-sound', args.text, args, extra),
    }),
  ]
}

async function buy(
  { coinslot, origin, maxUsdc: cap, version }: McpOptions,
  task: Task,
  prompt: string,
  args: CommonArguments,
  extra: Extra,
): Promise<CallToolResult> {
  const chosen = await findModel(coinslot, { task, model: args.model })
  const request = makeRequest(chosen, { prompt, set: [] })
  const whole = { ...request, input: { ...inputFields(args.input), ...request.input } }
  const run = coinslot.run(whole, { maxUsdc: lower(args.maxUsdc, cap), signal: extra.signal })
  const report = progressTo(extra)
  for await (const event of run) await report(event)
  return resultContent(await run.result(), { origin, version: version() })
}
