import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Ports for a process that starts later. They are below the range that systems assign by themselves (from 32768 or 49152 on),
 * whose ports any other connection could take meanwhile.
 */
const RESERVED = { first: 10_240, count: 9_760 }
const TRIES = 100

/** A port of 127.0.0.1 that is free now, for a process that takes it a moment later. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = RESERVED.first + randomInt(RESERVED.count)
    if (await isPortFree(port)) return port
  }
  throw new Error(`no port from ${RESERVED.first} to ${RESERVED.first + RESERVED.count - 1} is free`)
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

/** The port of a URL, so that a service that died starts again where it was. */
export const portOf = (url: string): number => Number(new URL(url).port)
