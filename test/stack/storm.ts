import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import * as z from 'zod'
import type { StackOptions } from '../../dev/stack/flags.ts'
import { type Buyer, problemSchema } from '../helpers/buyer.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'
import { type Kind, TASKS } from './fault-points.ts'

/** How many calls come at once. */
export interface StormSize {
  /** Copies of one payment. */
  copies: number
  /** Other payments. */
  distinct: number
}

/** The traces of a storm, and the answers to its clients. */
export interface StormReport extends StormSize {
  seconds: number
  transfers: number
  predictions: number
  records: string[]
  journal: string[]
  /** Final answers of the copies, each different text once. */
  copyAnswers: Set<string>
  /** Ids in the final answers of the distinct purchases. */
  distinctIds: Set<string>
  /** Statuses and codes of all answers on the way, with their numbers; `lost` are calls without an answer. */
  seen: Record<string, number>
}

const DEADLINE_MS = 180_000

interface Order {
  buyer: Buyer
  body: unknown
  header: string
}

/** Copies of one payment and distinct ones at once, and a worker that dies in the middle. */
export async function playStorm(size: StormSize, options: StackOptions = {}): Promise<StormReport> {
  const { copies, distinct: others } = size
  const stack = await startTestStack({ buyers: 10, ...options })
  try {
    const buyers = await Promise.all(stack.info.buyers.map((_, index) => stack.signedIn(index)))
    const orders = await Promise.all(
      Array.from({ length: others + 1 }, (_, index) => order(buyers[index % buyers.length], index)),
    )
    const [copied, ...distinct] = orders
    if (copied === undefined) throw new Error('nothing to send')
    const began = performance.now()
    const seen: Record<string, number> = {}
    const sent = [...Array.from({ length: copies }, () => copied), ...distinct].map((one) => sendUntilServed(one, seen))
    const answers = Promise.all(sent)
    await Promise.race([untilMiddle(stack, others / 5), answers])
    await stack.killWorker()
    const texts = await answers
    const seconds = (performance.now() - began) / 1_000
    process.stdout.write(`storm: ${seconds.toFixed(1)} s, ${JSON.stringify(seen)}\n`)
    return { ...size, ...(await leftBy(stack)), ...answersIn(texts, copies), seconds, seen }
  } finally {
    await stack.stop()
  }
}

async function order(buyer: Buyer | undefined, index: number): Promise<Order> {
  if (buyer === undefined) throw new Error('no buyer')
  // A few files among the texts: every tenth a picture, every tenth a sound.
  const kinds: Record<number, Kind> = { 3: 'image', 7: 'sound' }
  const body = { ...TASKS[kinds[index % 10] ?? 'text'], input: { prompt: `Storm warning number ${index}` } }
  const validBefore = String(Math.floor(Date.now() / 1000) + 600)
  return { buyer, body, header: await buyer.sign(await buyer.quote(body), { validBefore }) }
}

/** Some are paid and running, some are not yet paid. */
async function untilMiddle(stack: TestStack, started: number): Promise<void> {
  while ((await stack.predictions()) < started) await pause(20)
}

/** Sends one payment again, after the time each answer names, until it is served. Returns that answer's body. */
async function sendUntilServed({ buyer, body, header }: Order, seen: Record<string, number>): Promise<string> {
  for (const end = Date.now() + DEADLINE_MS; ; ) {
    const answer = await pay(buyer, body, header)
    const seenAs = answer === null ? 'lost' : [answer.status, answer.problem.code].filter(Boolean).join(' ')
    seen[seenAs] = (seen[seenAs] ?? 0) + 1
    if (answer?.status === 200) return answer.text
    if (answer !== null && ![202, 409, 503].includes(answer.status))
      throw new Error(`answered ${seenAs}: ${answer.text}`)
    if (Date.now() > end) throw new Error(`not served in time, at last ${seenAs}`)
    await pause(answer === null ? 200 : 1_000 * (answer.problem.retryAfterSeconds ?? 1))
  }
}

/** Null if the call was lost before or during its answer. */
async function pay(buyer: Buyer, body: unknown, header: string) {
  try {
    const response = await buyer.pay(body, header)
    const text = await response.text()
    return { status: response.status, text, problem: problemSchema.parse(JSON.parse(text)) }
  } catch {
    return null
  }
}

async function leftBy(stack: TestStack) {
  return {
    transfers: (await stack.transfers()).length,
    predictions: await stack.predictions(),
    records: (await stack.rows('inferences')).map(({ status }) => String(status)),
    journal: (await stack.rows('payments')).map(({ state }) => String(state)),
  }
}

const resultSchema = z.object({ id: z.string(), status: z.literal('succeeded') })

function answersIn(texts: readonly string[], copies: number) {
  const ids = texts.slice(copies).map((text) => resultSchema.parse(JSON.parse(text)).id)
  return { copyAnswers: new Set(texts.slice(0, copies)), distinctIds: new Set(ids) }
}

/** Each payment once, every client served, and at least one call lost with the worker. */
export function expectStorm({ copies, distinct, ...left }: StormReport): void {
  const count = distinct + 1
  expect([left.transfers, left.predictions]).toEqual([count, count])
  expect(left.records).toEqual(Array.from({ length: count }, () => 'succeeded'))
  expect(left.journal).toEqual(Array.from({ length: count }, () => 'done'))
  expect([left.copyAnswers.size, left.distinctIds.size]).toEqual([1, distinct])
  expect(left.seen['lost']).toBeGreaterThan(0)
  expect(left.seen['200']).toBe(copies + distinct)
}
