import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type {
  CallToolResult,
  Tool as ListedTool,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { UsageError } from '../cli/flags.ts'
import type { Coinslot } from '../src/coinslot.ts'
import { isFields } from '../src/json-fields.ts'

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

interface Definition<Input extends z.ZodObject> extends Pick<ListedTool, 'title' | 'description' | 'annotations'> {
  name: string
  input: Input
  call(args: z.infer<Input>, extra: Extra): Promise<CallToolResult>
}

/** A tool whose arguments are checked by `input`. */
export function defineTool<Input extends z.ZodObject>({ input, call, ...facts }: Definition<Input>): Tool {
  const { properties, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return {
    listed: { ...facts, inputSchema: { type: 'object', properties: published(properties), required } },
    call: async (args, extra) => {
      const parsed = input.safeParse(args)
      if (parsed.success) return call(parsed.data, extra)
      const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      throw new UsageError(`The arguments are invalid.\n${faults.join('\n')}`)
    },
  }
}

/** The keywords that the hosts of OpenAI and of Gemini models both take in the schema of a tool's argument. */
const KEYWORDS = ['type', 'description', 'enum']

/** The schemas of arguments, each with those keywords alone. */
function published(properties: Record<string, unknown> = {}): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const keywords = Object.entries(isFields(schema) ? schema : {})
      return [name, Object.fromEntries(keywords.filter(([keyword]) => KEYWORDS.includes(keyword)))]
    }),
  )
}
