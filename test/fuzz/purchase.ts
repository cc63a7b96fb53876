import { setTimeout as sleep } from 'node:timers/promises'
import type { FuzzBuyer } from './buyer.ts'
import { type Call, type Reply, type Send, withCookieLines } from './call.ts'
import type { Random } from './random.ts'

const TRIES = 60
const asIs = (call: Call): Call => call
const isStream = ({ headers }: Reply): boolean => headers['content-type']?.startsWith('text/event-stream') === true

/** Ways to send a valid purchase. Each must work. */
const WAYS = [
  { headers: {}, change: asIs, mayStream: false },
  { headers: { prefer: 'respond-async' }, change: asIs, mayStream: false },
  { headers: { accept: 'text/event-stream' }, change: asIs, mayStream: true },
  { headers: { accept: 'application/json, text/event-stream;q=0' }, change: asIs, mayStream: false },
  { headers: { accept: '*/*;q=0.1, text/event-stream;q=0.9', prefer: 'wait=5' }, change: asIs, mayStream: true },
  { headers: {}, change: withCookieLines, mayStream: false },
]

/** One valid purchase, sent up to three times at once in different ways, then followed to its end. */
export async function buyOnPurpose(
  send: Send,
  buyer: FuzzBuyer,
  random: Random,
): Promise<{ amount: bigint; id: string | null; complaint: string | null }> {
  const { header, amount } = await buyer.payment(0n)
  const call: Call = {
    method: 'POST',
    path: '/api/inference',
    headers: { ...buyer.headers, 'content-type': 'application/json', 'payment-signature': header },
    body: buyer.body,
  }
  const copies = WAYS.slice(random.int(0, WAYS.length - 3)).slice(0, random.int(1, 3))
  const replies = await Promise.all(
    copies.map(({ change, headers }) => send(change({ ...call, headers: { ...call.headers, ...headers } }))),
  )
  const odd = replies.find(({ status }) => ![200, 202, 409].includes(status))
  if (odd !== undefined) return { amount, id: null, complaint: `a valid purchase answers ${odd.status}` }
  const unwanted = replies.some((reply, at) => !copies[at]?.mayStream && isStream(reply))
  if (unwanted) return { amount, id: null, complaint: 'a stream that was not asked for' }
  const end = await followed(send, call)
  const id = /"id":"([0-9a-f-]{36})"/.exec(end.text)?.[1] ?? null
  return { amount, id, complaint: end.status === 200 ? null : `a valid purchase ends with ${end.status}` }
}

async function followed(send: Send, call: Call): Promise<Reply> {
  for (let tries = TRIES; ; tries -= 1) {
    const reply = await send(call)
    if (tries === 0 || ![202, 409].includes(reply.status)) return reply
    await sleep(500)
  }
}
