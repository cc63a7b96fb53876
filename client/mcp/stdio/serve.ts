import { type Readable, Transform, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { makeStdioServer } from './server.ts'
import type { StdioOptions } from './tool.ts'
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
