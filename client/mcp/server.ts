import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Coinslot } from '../src/coinslot.ts'
import { addReadingTools } from './reading-tools.ts'
import { addSellingTools } from './selling-tools.ts'

const VERSION = '1.0.0'

export interface McpOptions {
  coinslot: Coinslot
  /** The most that any call may cost, a decimal string of USDC. */
  maxUsdc: string
}

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
