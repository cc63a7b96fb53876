import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { VERSION } from '../cli/program.ts'
import type { McpOptions } from './options.ts'
import { addReadingTools } from './reading-tools.ts'
import { addSellingTools } from './selling-tools.ts'

/**
 * The tools of Coinslot for a language model. What limits its spending are the client's budget and `maxUsdc`; nothing that a
 * model says can pass either.
 */
export function makeMcpServer(options: McpOptions): McpServer {
  const server = new McpServer({ name: 'coinslot', version: VERSION })
  addReadingTools(server, options)
  addSellingTools(server, options)
  return server
}
