import type { FuzzBuyer } from './buyer.ts'
import type { Call } from './call.ts'
import { mutateJson } from './mutate-body.ts'
import type { Random } from './random.ts'

/**
 * As many payments as `count` that can never buy, sent by one wallet at once: copies of one payment, and payments with another
 * nonce, signature or amount. Each must be refused as if it came alone.
 */
export function junkPayments(buyer: FuzzBuyer, unpayable: readonly string[], count: number, random: Random): Call[] {
  const header = random.some(unpayable) ?? ''
  const payment: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  return Array.from({ length: count }, (_, number) => {
    const junk = number % 3 === 0 ? header : encode(mutateJson(payment, random))
    const accept = random.pick(['application/json', 'text/event-stream'])
    return {
      method: 'POST',
      path: '/api/inference',
      headers: { ...buyer.headers, accept, 'content-type': 'application/json', 'payment-signature': junk },
      body: buyer.body,
    }
  })
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64').slice(0, 12_000)
