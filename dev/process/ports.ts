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

/** A port that this process listens on, so that no other start takes it. Calls to it are closed. */
export interface HeldPort {
  port: number
  /** Frees the port, for the process that takes it now. May be called again. */
  release(): Promise<void>
}

/** Holds `port` of 127.0.0.1. Null when another process listens there. */
export function holdPort(port: number): Promise<HeldPort | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(null))
    const release = () => new Promise<void>((done) => server.close(() => done()))
    server.listen(port, '127.0.0.1', () => resolve({ port, release }))
  })
}

/** Holds the first free port from `first` on. Throws when none of the next hundred is. */
export async function holdNextPort(first: number): Promise<HeldPort> {
  for (let port = first; port < first + 100 && port <= 65_535; port++) {
    const held = await holdPort(port)
    if (held !== null) return held
  }
  throw new Error(`no port from ${first} to ${first + 99} is free`)
}

/** True if `port` of 127.0.0.1 is free to listen on. */
export async function isPortFree(port: number): Promise<boolean> {
  const held = await holdPort(port)
  await held?.release()
  return held !== null
}

/** The first free port from `first` on. Throws when none of the next hundred is. */
export async function nextFreePort(first: number): Promise<number> {
  const { port, release } = await holdNextPort(first)
  await release()
  return port
}

/** The port of a URL, so that a service that died starts again where it was. */
export const portOf = (url: string): number => Number(new URL(url).port)
