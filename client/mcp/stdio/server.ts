import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { VERSION } from '../../cli/terminal.ts'
import { answer } from './content.ts'
import { freeTools } from './free-tools.ts'
import { paidTools } from './paid-tools.ts'
import type { McpOptions } from './tool.ts'

/**
 * The tools of Coinslot for a language model. The client's budget and `maxUsdc` limit its spending. No argument of a tool raises
 * either. The SDK's low-level server is used because the schemas that its other one lists are refused by some hosts.
 */
export function makeMcpServer(options: McpOptions): Server {
  const tools = [...freeTools(options), ...paidTools(options)]
  const server = new Server({ name: 'coinslot', version: VERSION }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ listed }) => listed) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const tool = tools.find(({ listed }) => listed.name === params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
    return answer(options.version(), () => tool.call(params.arguments ?? {}, extra))
  })
  return server
}
