import { type Readable, Transform, type Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { VERSION } from '../../node/program.ts'
import { FREE } from '../free-tools.ts'
import { makeToolServer } from '../server.ts'
import { failureResult, limited } from './content.ts'
import { PAID } from './paid-tools.ts'
import { freeCalls, type StdioCall, type StdioOptions } from './tool.ts'
import { watchTransport } from './watch-transport.ts'

/** Serves the tools until the output breaks, or the input has ended and every request of it is answered. */
export async function serveTools(options: StdioOptions, stdin: Readable, stdout: Writable): Promise<void> {
  // The SDK drops open requests at the end of its input, so that end waits for them. What was written before it is read first.
  const input = new Transform({
    transform: (chunk, _, done) => done(null, chunk),
    flush: (done) => void setImmediate(() => void watch.idle().then(() => done())),
  })
  const watch = watchTransport(new StdioServerTransport(input, stdout))
  stdin.pipe(input)
  serveStdio(() => makeStdioServer(options), { transport: watch.transport })
  await watch.closed
  // Nothing may keep the process.
  stdin.unpipe(input)
  stdin.pause()
}

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
