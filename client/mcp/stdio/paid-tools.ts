import type { CallToolResult } from '@modelcontextprotocol/server'
import { findModel, makeRequest } from '../../node/request.ts'
import type { RunEvent } from '../../src/purchase/events.ts'
import type { Task } from '../../src/types.ts'
import { inputFields, lower } from '../arguments.ts'
import { defineTool, type Tool } from '../tool.ts'
import { PAID_TOOLS, type PaidArguments } from '../tool-table.ts'
import { resultContent } from './content.ts'
import type { Caller, StdioCall } from './tool.ts'

const { generateImage, writeText, speak } = PAID_TOOLS

/** The tools that buy. Each makes one payment, and sends the same one again after an interruption. */
export const PAID: readonly Tool<StdioCall>[] = [
  defineTool(generateImage, (args, call) => buy(generateImage.task, args.prompt, args, call)),
  defineTool(writeText, (args, call) => buy(writeText.task, args.prompt, args, call)),
  defineTool(speak, (args, call) => buy(speak.task, args.text, args, call)),
]

async function buy(task: Task, prompt: string, args: PaidArguments, call: StdioCall): Promise<CallToolResult> {
  const { coinslot, origin, caller, version } = call
  const chosen = await findModel(coinslot, { task, model: args.model })
  const request = makeRequest(chosen, { prompt, set: [] })
  const whole = { ...request, input: { ...inputFields(args.input), ...request.input } }
  const run = coinslot.run(whole, { maxUsdc: lower(args.maxUsdc, call.maxUsdc), signal: caller.signal })
  const report = progressTo(caller)
  for await (const event of run) await report(event)
  return resultContent(await run.result(), { origin, version })
}

function messageFor(event: RunEvent): string | null {
  switch (event.event) {
    case 'resumed':
      return 'sending an earlier payment for this request again'
    case 'quoted':
      return `the price is ${event.price}`
    case 'settled':
      return `paid: ${event.transaction}`
    case 'running':
      return `the model is running, ${event.seconds} s`
    case 'stored':
      return 'stored'
    case 'pending':
      return 'paid; the service will try again'
    case 'again':
      return `${event.why}; sending the same payment again`
    case 'signed':
    case 'verified':
    case 'token':
    case 'connected':
    case 'result':
      return null
  }
}

/** Sends the progress of a run to a client that asked for it. Some clients extend a tool's time limit on each message. */
function progressTo({ _meta, notify }: Caller): (event: RunEvent) => Promise<void> {
  const progressToken = _meta?.progressToken
  let progress = 0
  return async (event) => {
    const message = messageFor(event)
    if (progressToken === undefined || message === null) return
    progress += 1
    await notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
  }
}
