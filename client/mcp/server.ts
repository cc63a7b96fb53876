import {
  type CallToolResult,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { textAt } from '../src/json-fields.ts'
import type { Tool } from './tool.ts'
import { fitted, hasStructured, type Version } from './versions.ts'

export interface ToolServerOptions<Call> {
  /** Of this program. */
  version: string
  /** Instructions for a language model before it calls a tool. */
  instructions?: string
  tools: readonly Tool<Call>[]
  /** The context of a tool's call, beside its arguments. */
  callFor(context: ServerContext, version: Version): Call
  /** A tool's error as its result. */
  failureResult(error: unknown): CallToolResult
}

/**
 * The SDK's server with these tools, for one connection or one HTTP request. The low-level one is used because the schemas that the
 * other one lists are refused by some hosts.
 */
export function makeToolServer<Call>(options: ToolServerOptions<Call>): Server {
  const { version, instructions, tools, callFor, failureResult } = options
  const server = new Server(
    { name: 'coinslot', title: 'Coinslot', version },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  )
  /** By the message itself, by the header of its HTTP request, or by the connection's handshake. */
  const versionOf = ({ mcpReq, http }: ServerContext): Version =>
    textAt(mcpReq.envelope ?? {}, PROTOCOL_VERSION_META_KEY) ??
    http?.req?.headers.get('MCP-Protocol-Version') ??
    server.getNegotiatedProtocolVersion()

  server.setRequestHandler('tools/list', (_, context) => {
    const withOutput = hasStructured(versionOf(context))
    return {
      tools: tools.map(({ listed: { outputSchema, ...rest } }) => (withOutput ? { ...rest, outputSchema } : rest)),
    }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ listed }) => listed.name === params.name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    const named = versionOf(context)
    const result = await tool.run(params.arguments ?? {}, callFor(context, named)).catch(failureResult)
    return fitted(result, named)
  })
  return server
}
