import { setTimeout as sleep } from 'node:timers/promises'
import type { FuzzBuyer } from './buyer.ts'
import type { Call, Reply, Send } from './call.ts'
import type { Chance } from './random.ts'

const TRIES = 60

/** One valid purchase, sent up to three times at once in different ways, then followed to its end. */
export async function buyOnPurpose(
  send: Send,
  buyer: FuzzBuyer,
  chance: Chance,
): Promise<{ amount: bigint; id: string | null; complaint: string | null }> {
  const { header, amount } = await buyer.payment(0n)
  const call: Call = {
    method: 'POST',
    path: '/api/inference',
    headers: { ...buyer.headers, 'content-type': 'application/json', 'payment-signature': header },
    body: buyer.order,
  }
  const ways = [{}, { prefer: 'respond-async' }, { accept: 'text/event-stream' }]
  const copies = ways.slice(0, chance.int(1, ways.length))
  const replies = await Promise.all(copies.map((way) => send({ ...call, headers: { ...call.headers, ...way } })))
  const odd = replies.find(({ status }) => ![200, 202, 409].includes(status))
  if (odd !== undefined) return { amount, id: null, complaint: `a valid purchase answers ${odd.status}` }
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
