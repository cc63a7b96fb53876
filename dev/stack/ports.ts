import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Ports to be kept for a process that is yet to start. They lie below those that systems hand out by themselves (from 32768 or
 * 49152 on): one of these could be given to any connection or to another part of the same stack before its owner has it.
 */
const KEPT = { first: 10_240, count: 9_760 }
const TRIES = 100

/** A port of 127.0.0.1 that is free now, for somebody who takes it a moment later. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = KEPT.first + randomInt(KEPT.count)
    if (await isPortFree(port)) return port
  }
  throw new Error(`no port from ${KEPT.first} to ${KEPT.first + KEPT.count - 1} is free`)
}

/** Whether `port` of 127.0.0.1 can be listened on. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The first free port from `first` on. Throws when none of the next hundred is. */
export async function nextFreePort(first: number): Promise<number> {
  for (let port = first; port < first + 100 && port <= 65_535; port++) {
    if (await isPortFree(port)) return port
  }
  throw new Error(`no port from ${first} to ${first + 99} is free`)
}
