import { type ClientRequest, request } from 'node:http'
import { Readable } from 'node:stream'
import type { Fetch } from './buyer.ts'

/** A fetch whose calls can be left the hard way: by a reset of their socket, as when a laptop's lid falls. */
export function makeResettable(): { fetch: Fetch; reset(isIt: (headers: Headers) => boolean): void } {
  const open = new Map<ClientRequest, Headers>()
  return {
    fetch: (url, init = {}) =>
      new Promise((resolve, reject) => {
        const headers = new Headers(init.headers)
        const call = request(url, { method: init.method ?? 'GET', headers: Object.fromEntries(headers), agent: false })
        open.set(call, headers)
        call.on('close', () => open.delete(call))
        call.on('error', reject)
        call.on('response', (incoming) => {
          const received = new Headers()
          for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
            received.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '')
          }
          const status = incoming.statusCode ?? 0
          const body = status === 204 ? null : Readable.toWeb(incoming)
          resolve(new Response(body as ReadableStream | null, { status, headers: received }))
        })
        call.end(typeof init.body === 'string' ? init.body : undefined)
      }),
    reset(isIt) {
      for (const [call, headers] of open) if (isIt(headers)) call.socket?.resetAndDestroy()
    },
  }
}
