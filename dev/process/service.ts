import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createInterface } from 'node:readline'
import type * as z from 'zod'

/** A running service: where it answers and how to end it. Its other members go into the ready line unchanged. */
export interface RunningService {
  url: string
  close(): Promise<void>
}

/**
 * Runs one service as this process. Its options come as JSON in `COINSLOT_SERVICE`. One JSON line on stdout says that it is ready
 * and carries every member of the service that is not a function. SIGTERM ends it, and so does the end of stdin: the parent is gone.
 */
export async function runService<Options>(start: (options: Options) => Promise<RunningService>): Promise<void> {
  const options: Options = JSON.parse(process.env['COINSLOT_SERVICE'] ?? '{}')
  const service = await start(options)
  const info = Object.fromEntries(Object.entries(service).filter(([, value]) => typeof value !== 'function'))
  process.stdout.write(`${JSON.stringify({ ready: true, ...info })}\n`)
  let closing = false
  const stop = (): void => {
    if (closing) return
    closing = true
    service.close().finally(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.stdin.on('end', stop).on('close', stop).resume()
}

/** Reads a service's ready line; every other line of its stdout goes to the log. */
export function readReadyLine<Info>(
  child: ChildProcess,
  log: (text: string) => void,
  schema: z.ZodType<Info>,
): Promise<Info> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('no stdout'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{"ready":true')) return log(`${line}\n`)
      try {
        resolve(schema.parse(JSON.parse(line)))
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** Listens on 127.0.0.1 and returns `http://127.0.0.1:<port>`; port 0 means any free port. */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}
