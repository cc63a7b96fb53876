import { setTimeout as pause } from 'node:timers/promises'
import { parseAbiItem } from 'viem'
import { getLogs } from 'viem/actions'
import * as z from 'zod'
import { ARROWS, type Arrow, type Trace, traceOf } from '../helpers/arrows.ts'
import { type Buyer, problemSchema } from '../helpers/buyer.ts'
import { borrowProxiedStack, type ProxiedStack } from '../helpers/proxied-stack.ts'
import type { Hold } from '../helpers/proxy.ts'
import { nonceOf } from '../helpers/sign-payment.ts'

export const TASKS = {
  text: { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct' },
  image: { task: 'text-to-image', model: 'black-forest-labs/flux-schnell' },
  sound: { task: 'text-to-sound', model: 'suno-ai/bark' },
} as const
export type Kind = keyof typeof TASKS

/**
 * Where the worker dies: with the call not sent (`before`), answered but the answer not seen (`after`), or under way, so that
 * it arrives when its sender is dead (`late`).
 */
export type Moment = 'before' | 'after' | 'late'
/** The call that continues the purchase: the same header, a status call, or the scheduled job. */
export type Way = 'header' | 'status' | 'tick'

export interface FaultPoint {
  kind: Kind
  arrow: Arrow
  moment: Moment
  way: Way
}

/** The traces of a purchase in every service after its end. */
export interface Trail {
  /** The result that the caller who continued it received; null if no purchase existed. */
  outcome: { status: number; code?: string; state?: string } | null
  /** The answer to the same header at the very end. */
  again: { status: number; code?: string }
  sameAnswer: boolean
  transfers: number
  predictions: number
  objects: number
  records: string[]
  journal: string[]
}

interface Purchase {
  point: FaultPoint
  buyer: Buyer
  body: { task: string; model: string; input: Record<string, unknown> }
  header: string
  nonce: string
  hold: Hold
  trace: Trace
}

/** Seconds an authorization lives: short if the test waits until it expires, else longer than any wait. */
const LIVES = { short: 45, long: 600 }
const DEADLINE_MS = 240_000

/**
 * Held at the same time: the first must still be held when the last one is. `/verify` has a deadline of 5 s, the
 * database of 10 s. Pictures and sounds take time to be made.
 */
const GROUP_SIZES: Record<Kind, number> = { text: 15, image: 5, sound: 5 }

/** The latest arrows first: they take longest to get to, and the short deadlines of the early ones must not wait for them. */
function groupsOf(points: readonly FaultPoint[]): FaultPoint[][] {
  return (['image', 'sound', 'text'] as const).flatMap((kind) => {
    const own = points.filter((point) => point.kind === kind)
    own.sort((a, b) => ARROWS.indexOf(b.arrow) - ARROWS.indexOf(a.arrow))
    const size = GROUP_SIZES[kind]
    return Array.from({ length: Math.ceil(own.length / size) }, (_, index) =>
      own.slice(index * size, (index + 1) * size),
    )
  })
}

/**
 * Holds a purchase at each point, a group at a time, kills the worker for each group, and takes all of them up again when the
 * last group is dead.
 */
export async function playFaultPoints(all: readonly FaultPoint[]): Promise<Map<FaultPoint, Trail>> {
  const stack = await borrowProxiedStack()
  try {
    const purchases: Purchase[] = []
    for (const points of groupsOf(all)) {
      const group = await prepare(stack, points)
      await breakOff(stack, group)
      purchases.push(...group)
    }
    const outcome = await continuePurchases(stack, purchases)
    const trails = new Map<FaultPoint, Trail>()
    for (const purchase of purchases) {
      trails.set(purchase.point, await trailOf(stack, purchase, outcome.get(purchase) ?? null))
    }
    return trails
  } finally {
    await stack.stop()
  }
}

async function breakOff(stack: ProxiedStack, group: readonly Purchase[]): Promise<void> {
  const broken = Promise.all(group.map(send))
  await Promise.race([allReached(group), broken])
  await stack.killWorker()
  await broken
  for (const { hold, point } of group) hold.release({ late: point.moment === 'late' })
}

async function prepare(stack: ProxiedStack, points: readonly FaultPoint[]): Promise<Purchase[]> {
  const buyers = await Promise.all(stack.info.buyers.map((_, index) => stack.signedIn(index)))
  return Promise.all(
    points.map(async (point, index) => {
      const buyer = buyers[index % buyers.length]
      if (buyer === undefined) throw new Error('no buyer')
      const prompt = `A lighthouse keeper and a sailor, at ${point.arrow}, ${index + 1}`
      const body = { ...TASKS[point.kind], input: { prompt } }
      const validBefore = String(Math.floor(Date.now() / 1000) + LIVES[expiresUnused(point) ? 'short' : 'long'])
      const header = await buyer.sign(await buyer.quote(body), { validBefore })
      const nonce = nonceOf(header)
      const trace = traceOf(stack, nonce)
      const { part, match } = trace.match(point.arrow)
      const hold = stack.via[part].hold(match, point.moment === 'after' ? 'answer' : 'request')
      return { point, buyer, body, header, nonce, hold, trace }
    }),
  )
}

/** The call that dies with the worker. An answer would mean that its arrow was never reached. */
async function send({ buyer, body, header, point }: Purchase): Promise<void> {
  const headers: Record<string, string> = isSeenInStreams(point) ? { Accept: 'text/event-stream' } : {}
  const response = buyer.pay(body, header, headers)
  const answer = await response.then((whole) => whole.text()).catch(() => null)
  if (answer !== null) throw new Error(`${nameOf(point)} was answered: ${answer}`)
}

/** The start of a run waits for its end, unless the caller reads events: then the run is polled, and a text's id written before. */
const isSeenInStreams = ({ kind, arrow }: FaultPoint): boolean =>
  arrow === 'poll' || (arrow === 'prediction id' && kind === 'text')

async function allReached(purchases: readonly Purchase[]): Promise<void> {
  const late = pause(60_000, undefined, { ref: false }).then(() => {
    const missing = purchases.filter(({ hold }) => !hold.isReached()).map(({ point }) => nameOf(point))
    throw new Error(`never reached: ${missing.join('; ')}`)
  })
  await Promise.race([Promise.all(purchases.map(({ hold }) => hold.reached)), late])
}

type Outcome = Trail['outcome']

async function continuePurchases(stack: ProxiedStack, purchases: readonly Purchase[]): Promise<Map<Purchase, Outcome>> {
  const outcome = new Map<Purchase, Outcome>()
  const by = (way: Way) => purchases.filter(({ point }) => point.way === way)
  await Promise.all([
    ...by('header').map(async (purchase) => outcome.set(purchase, await sendUntilEnd(purchase))),
    ...by('status').map(async (purchase) => outcome.set(purchase, await askUntilEnd(stack, purchase))),
  ])
  // Last, since the scheduled job continues every purchase it finds.
  const ticked = by('tick')
  await until(async () => {
    await stack.tick()
    const rows = await journalOf(stack, ticked)
    return rows.every(({ isAtRest }) => isAtRest)
  })
  for (const purchase of ticked) outcome.set(purchase, await statusOf(stack, purchase))
  return outcome
}

async function answerOf(response: Response): Promise<{ status: number; code?: string; text: string; waitMs: number }> {
  const text = await response.text()
  const { code, retryAfterSeconds } = problemSchema.parse(JSON.parse(text))
  const waitMs = (retryAfterSeconds ?? 1) * 1_000
  return { status: response.status, text, waitMs, ...(code === undefined ? {} : { code }) }
}

/** Sends the same payment until an answer is final: 200, 402 or 502. */
async function sendUntilEnd({ buyer, body, header }: Purchase): Promise<Outcome> {
  for (const end = Date.now() + DEADLINE_MS; ; ) {
    const { status, code, waitMs } = await answerOf(await buyer.pay(body, header))
    if (![202, 409, 503].includes(status)) return { status, ...(code === undefined ? {} : { code }) }
    if (Date.now() > end) return { status, ...(code === undefined ? {} : { code }) }
    await pause(waitMs)
  }
}

/** Reads its status until that is final. */
async function askUntilEnd(stack: ProxiedStack, purchase: Purchase): Promise<Outcome> {
  let outcome: Outcome = null
  await until(async () => {
    outcome = await statusOf(stack, purchase)
    return outcome?.state !== 'pending'
  }, 2_100)
  return outcome
}

const statusSchema = z.looseObject({ status: z.string() })

async function statusOf(stack: ProxiedStack, purchase: Purchase): Promise<Outcome> {
  const [row] = await rowsOf(stack, 'payments', 'nonce', purchase.nonce)
  if (row === undefined) return null
  const response = await purchase.buyer.call(`/api/inference/${row['inference_id']}`)
  const { status } = statusSchema.parse(await response.json())
  return { status: response.status, state: status }
}

async function until(isSo: () => Promise<boolean>, everyMs = 1_000): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; !(await isSo()); await pause(everyMs)) {
    if (Date.now() > end) throw new Error('it did not come to rest')
  }
}

async function journalOf(stack: ProxiedStack, purchases: readonly Purchase[]) {
  const nonces = new Set(purchases.map(({ nonce }) => nonce.toLowerCase()))
  const rows = (await stack.rows('payments')).filter(({ nonce }) => nonces.has(String(nonce)))
  return rows.map(({ state, chain_checked_at: checked }) => ({
    isAtRest: ['done', 'owed', 'rejected'].includes(String(state)) || (state === 'claimed' && checked !== null),
  }))
}

async function rowsOf(stack: ProxiedStack, table: 'payments' | 'inferences', column: string, value: unknown) {
  return (await stack.rows(table)).filter((row) => row[column] === value)
}

const usedEvent = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const countsSchema = z.object({ predictions: z.array(z.object({ webhook: z.string().nullable() })) })

async function trailOf(stack: ProxiedStack, purchase: Purchase, outcome: Outcome): Promise<Trail> {
  const { buyer, body, header, nonce } = purchase
  const first = await answerOf(await buyer.pay(body, header))
  const second = await answerOf(await buyer.pay(body, header))
  const [row] = await rowsOf(stack, 'payments', 'nonce', nonce)
  const used = await getLogs(stack.client, {
    address: stack.info.usdc,
    event: usedEvent,
    args: { nonce: `0x${nonce.slice(2)}` },
    fromBlock: 0n,
  })
  const counts = countsSchema.parse(await (await fetch(new URL('/__counts', stack.info.modelProviderUrl))).json())
  const id = row?.['inference_id'] ?? 'none'
  const objectKey = row?.['object_key']
  return {
    outcome,
    again: { status: first.status, ...(first.code === undefined ? {} : { code: first.code }) },
    sameAnswer: first.status === 402 ? second.status === 402 : first.text === second.text,
    transfers: used.length,
    predictions: counts.predictions.filter(({ webhook }) => webhook?.includes(String(id))).length,
    objects: typeof objectKey === 'string' ? (await stack.objects(objectKey)).length : 0,
    records: (await rowsOf(stack, 'inferences', 'id', id)).map(({ status }) => String(status)),
    journal: row === undefined ? [] : [String(row['state'])],
  }
}

/** `text: after settle, then header` */
export const nameOf = ({ kind, arrow, moment, way }: FaultPoint): string => `${kind}: ${moment} ${arrow}, then ${way}`

/** True if nothing sends the payment to the chain: the worker died before that, and the buyer does not send it again. */
function expiresUnused({ arrow, moment, way }: FaultPoint): boolean {
  const before: readonly Arrow[] = ['claim', 'verify']
  return way !== 'header' && (before.includes(arrow) || (arrow === 'settle' && moment === 'before'))
}

/** The trail that the promise of the product asks for. */
export function expectedTrail(point: FaultPoint): Trail {
  const { kind, arrow, moment, way } = point
  if (!expiresUnused(point)) {
    return {
      outcome: way === 'header' ? { status: 200 } : { status: 200, state: 'succeeded' },
      again: { status: 200 },
      sameAnswer: true,
      transfers: 1,
      predictions: 1,
      objects: kind === 'text' ? 0 : 1,
      records: ['succeeded'],
      journal: ['done'],
    }
  }
  const unclaimed = arrow === 'claim' && moment === 'before'
  return {
    outcome: unclaimed ? null : { status: 200, state: 'failed' },
    again: { status: 402, code: 'payment_rejected' },
    sameAnswer: true,
    transfers: 0,
    predictions: 0,
    objects: 0,
    records: [],
    journal: unclaimed ? [] : ['rejected'],
  }
}
