import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface LossyProxy {
  url: string
  /** Answers so far, and those among them that were lost. */
  counts(): { answers: number; lost: number }
  close(): Promise<void>
}

/** The longest part of a lost answer that is still passed on, in bytes. Some break off in the stream, some before the head. */
const LONGEST_STUB = 1_500

/**
 * A proxy that loses a share of the answers after the service has done its work: the connection is cut before the head, or in the
 * body.
 */
export async function startLossyProxy(target: string, share: number, seed: number): Promise<LossyProxy> {
  const random = seeded(seed)
  let answers = 0
  let lost = 0

  function onAnswer(answer: IncomingMessage, client: ServerResponse): void {
    answers += 1
    const isLost = random() < share
    const stub = random() < 0.5 ? 0 : Math.floor(random() * LONGEST_STUB)
    if (isLost) lost += 1
    if (!isLost) {
      client.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(client)
      return
    }
    if (stub > 0) client.writeHead(answer.statusCode ?? 502, answer.headers)
    let passed = 0
    answer.on('data', (piece: Buffer) => {
      const room = Math.max(0, stub - passed)
      passed += piece.length
      if (room > 0) client.write(piece.subarray(0, room))
      if (passed > stub) client.destroy()
    })
    answer.on('end', () => client.destroy())
  }

  const server = createServer((incoming, client) => {
    const { method, headers, url = '/' } = incoming
    const { host } = new URL(target)
    const outgoing = request(new URL(url, target), { method, headers: { ...headers, host } }, (answer) =>
      onAnswer(answer, client),
    )
    outgoing.on('error', () => client.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    counts: () => ({ answers, lost }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
