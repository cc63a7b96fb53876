import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { findModel, makeRequest } from '../cli/request.ts'
import type { Task } from '../src/types.ts'
import { resultContent, safely } from './content.ts'
import { lower, maxUsdc, model } from './limits.ts'
import { type Extra, progressTo } from './progress.ts'
import type { McpOptions } from './server.ts'

const PAYS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }

const commonArguments = {
  model,
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Further inputs of the model, as its schema in list_models tells.'),
  maxUsdc,
}
type ToolArguments = z.infer<z.ZodObject<typeof commonArguments>>

/** `generate_image`, `write_text` and `speak`: each is one payment, and the same payment again when it was cut short. */
export function addPaidTools(server: McpServer, options: McpOptions): void {
  const prompt = z.string().min(1).describe('What is wanted, in plain words.')
  server.registerTool(
    'generate_image',
    {
      title: 'Generate an image',
      description: 'Makes an image from a prompt and returns it with its permanent link. Costs USDC; see estimate.',
      inputSchema: { prompt, ...commonArguments },
      annotations: PAYS,
    },
    safely((args, extra) => buy(options, 'text-to-image', args.prompt, args, extra)),
  )
  server.registerTool(
    'write_text',
    {
      title: 'Write a text',
      description: 'Lets a language model answer a prompt. Costs USDC; see estimate.',
      inputSchema: { prompt, ...commonArguments },
      annotations: PAYS,
    },
    safely((args, extra) => buy(options, 'text-to-text', args.prompt, args, extra)),
  )
  server.registerTool(
    'speak',
    {
      title: 'Speak a text',
      description: 'Reads a text aloud and returns the sound with its permanent link. Costs USDC; see estimate.',
      inputSchema: { text: z.string().min(1).describe('What is read aloud.'), ...commonArguments },
      annotations: PAYS,
    },
    safely((args, extra) => buy(options, 'text-to-sound', args.text, args, extra)),
  )
}

async function buy(
  { coinslot, maxUsdc: cap }: McpOptions,
  task: Task,
  words: string,
  args: ToolArguments,
  extra: Extra,
): Promise<CallToolResult> {
  const chosen = await findModel(coinslot, { task, model: args.model })
  const plain = makeRequest(chosen, { prompt: words, set: [] })
  const request = { ...plain, input: { ...args.input, ...plain.input } }
  const run = coinslot.run(request, { maxUsdc: lower(args.maxUsdc, cap), signal: extra.signal })
  const tell = progressTo(extra)
  for await (const event of run) await tell(event)
  return resultContent(await run.result())
}
