import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type {
  CallToolResult,
  Tool as ListedTool,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import type * as z from 'zod'
import { UsageError } from '../../cli/flags.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import { argumentFaults, listedTool, type ToolFacts } from '../tool-table.ts'

export interface McpOptions {
  coinslot: Coinslot
  /** The origin of the service. */
  origin: string
  /** The most that any call may cost, a decimal string of USDC. */
  maxUsdc: string
  /** The protocol version that was negotiated with the client. */
  version(): string
}

/** What the SDK passes beside the arguments of a call. */
export type Extra = Pick<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  'signal' | '_meta' | 'sendNotification'
>

/** A tool of the server. */
export interface Tool {
  /** Its entry in `tools/list`. */
  listed: ListedTool
  /** Checks the arguments and runs the tool. */
  call(args: unknown, extra: Extra): Promise<CallToolResult>
}

/** A tool whose arguments are checked before its `call`. */
export function defineTool<Input extends z.ZodObject>(
  facts: ToolFacts<Input>,
  call: (args: z.infer<Input>, extra: Extra) => Promise<CallToolResult>,
): Tool {
  return {
    listed: listedTool(facts),
    call: async (args, extra) => {
      const parsed = facts.input.safeParse(args)
      if (parsed.success) return call(parsed.data, extra)
      throw new UsageError(`The arguments are invalid.\n${argumentFaults(parsed.error)}`)
    },
  }
}
