import * as z from 'zod'
import type { Buyer } from '../../test/helpers/buyer.ts'
import { parseServerTiming, type Timing } from './server-timing.ts'

/** A purchase that is signed and not yet sent. */
export interface Order {
  buyer: Buyer
  body: unknown
  header: string
}

/** The content of the answers of paid calls. */
interface Bought {
  /** Milliseconds of each call. */
  latencies: number[]
  ids: Set<string>
  /** `Server-Timing` of each call, by the purchase's id. */
  timings: Map<string, Timing>
}

const answerSchema = z.object({ id: z.string() })

const VALID_SECONDS = 800

/** Quotes and signs so many purchases of texts, the buyers in turn. */
export function ordersOf(buyers: readonly Buyer[], count: number, word: string): Promise<Order[]> {
  const validBefore = String(Math.floor(Date.now() / 1000) + VALID_SECONDS)
  return Promise.all(
    Array.from({ length: count }, async (_, index): Promise<Order> => {
      const buyer = buyers[index % buyers.length]
      if (buyer === undefined) throw new Error('no buyer')
      const prompt = `One word for a ${word}, number ${index}`
      const body = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt } }
      return { buyer, body, header: await buyer.sign(await buyer.quote(body), { validBefore }) }
    }),
  )
}

/** Pays every order once, so many at a time. Throws when one is answered with anything but its result. */
export async function buyAll(orders: readonly Order[], atOnce: number): Promise<Bought> {
  const queue = [...orders]
  const bought: Bought = { latencies: [], ids: new Set(), timings: new Map() }
  const client = async (): Promise<void> => {
    for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
      const began = performance.now()
      const response = await order.buyer.pay(order.body, order.header)
      const text = await response.text()
      if (response.status !== 200) throw new Error(`expected 200, got ${response.status}: ${text}`)
      bought.latencies.push(performance.now() - began)
      const { id } = answerSchema.parse(JSON.parse(text))
      bought.ids.add(id)
      bought.timings.set(id, parseServerTiming(response.headers.get('server-timing') ?? ''))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return bought
}
