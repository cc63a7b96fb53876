import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { findModel, makeRequest } from '../../cli/request.ts'
import type { Task } from '../../src/types.ts'
import { inputFields, lower } from '../arguments.ts'
import { PAID_TOOLS, type PaidArguments } from '../tool-table.ts'
import { resultContent } from './content.ts'
import { progressTo } from './progress.ts'
import { defineTool, type Extra, type McpOptions, type Tool } from './tool.ts'

/** The tools that buy. Each makes one payment, and sends the same one again after an interruption. */
export function paidTools(options: McpOptions): Tool[] {
  const { generateImage, writeText, speak } = PAID_TOOLS
  return [
    defineTool(generateImage, (args, extra) => buy(options, generateImage.task, args.prompt, args, extra)),
    defineTool(writeText, (args, extra) => buy(options, writeText.task, args.prompt, args, extra)),
    defineTool(speak, (args, extra) => buy(options, speak.task, args.text, args, extra)),
  ]
}

async function buy(
  { coinslot, origin, maxUsdc: cap, version }: McpOptions,
  task: Task,
  prompt: string,
  args: PaidArguments,
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
