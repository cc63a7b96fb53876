import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { VERSION } from '../cli/terminal.ts'
import type { Coinslot } from '../src/coinslot.ts'
import { addFreeTools } from './free-tools.ts'
import { addPaidTools } from './paid-tools.ts'

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
  addFreeTools(server, options)
  addPaidTools(server, options)
  return server
}
