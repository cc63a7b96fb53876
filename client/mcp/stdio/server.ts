import type { Server } from '@modelcontextprotocol/server'
import { VERSION } from '../../node/program.ts'
import { FREE } from '../free-tools.ts'
import { makeToolServer } from '../server.ts'
import { failureResult, limited } from './content.ts'
import { PAID } from './paid-tools.ts'
import { freeCalls, type StdioCall, type StdioOptions } from './tool.ts'

const TOOLS = [...FREE, ...PAID].map((tool) => limited<StdioCall>(tool))

/** The tools of Coinslot for one language model. The client's budget and `maxUsdc` limit its spending. No argument raises either. */
export function makeStdioServer(options: StdioOptions): Server {
  const free = freeCalls(options)
  return makeToolServer({
    version: VERSION,
    tools: TOOLS,
    callFor: ({ mcpReq: caller }, version) => ({ ...options, free, caller, version }),
    failureResult,
  })
}
