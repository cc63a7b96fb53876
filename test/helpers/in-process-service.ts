import type { Hex } from 'viem'
import * as z from 'zod'
import type { Database } from '../../db/client.ts'
import { createApp } from '../../worker/app.ts'
import type { Deps } from '../../worker/domain/deps.ts'
import { reconcile } from '../../worker/domain/purchase/jobs/reconcile.ts'
import { type BuyerOptions, makeBuyer, readEvents } from './buyer.ts'
import { BASE_SEPOLIA, TEST_ORIGIN } from './config.ts'
import { makeTestDeps } from './deps.ts'
import { assertDocumented } from './documented.ts'
import type { SignOverrides } from './sign-payment.ts'
import { makeVirtualTime, trackActivity } from './virtual-time.ts'

/** A request for each kind of output. */
export const requests = {
  image: { task: 'text-to-image', model: 'black-forest-labs/flux-schnell', input: { prompt: 'a red bicycle' } },
  text: { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word' } },
}

/** The members of an answer that tests compare; unknown ones stay. */
const answerSchema = z.looseObject({
  id: z.string().optional(),
  status: z.union([z.string(), z.number()]),
  code: z.string().optional(),
  paymentState: z.string().optional(),
  nextAction: z.string().optional(),
  statusUrl: z.string().optional(),
})

export interface Answer {
  status: number
  headers: Headers
  body: z.infer<typeof answerSchema>
}

/** The outcome of an answer to a paid call, in the four words of the fault matrices. */
export const verdictOf = ({ status, body }: Answer) => ({
  status,
  code: body.code,
  paymentState: body.paymentState,
  nextAction: body.nextAction,
})

/**
 * The whole service in this process: the real app on fakes of every other service, a real database, and time that passes only while
 * nothing else happens.
 */
export function openService(database: Database, overrides: Partial<Deps> = {}) {
  const tracked: Database = {
    run: (statement, options) => trackActivity(database.run(statement, options)),
    batch: (statements, options) => trackActivity(database.batch(statements, options)),
  }
  const kit = makeTestDeps({ database: tracked, ...overrides })
  const time = makeVirtualTime(kit.clock)
  kit.deps.sleep = time.sleep
  const { now } = kit.deps
  const counts = { put: 0 }
  const put = kit.store.put
  kit.store.put = (key, body, meta) => {
    counts.put += 1
    return put(key, body, meta)
  }
  const app = createApp(() => kit.deps, { makeLog: () => kit.log })
  const background: Promise<unknown>[] = []
  const context = {
    waitUntil: (promise: Promise<unknown>) => void background.push(promise),
    passThroughOnException: () => undefined,
    props: {},
  }
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const response = await time.run(Promise.resolve(app.fetch(new Request(url, init), {}, context)))
    const { status, headers } = response
    // The caller reads a stream itself.
    if (headers.get('Content-Type')?.startsWith('text/event-stream')) return response
    assertDocumented(init?.method ?? 'GET', url, { status, headers, text: await response.clone().text() })
    return response
  }

  async function read(response: Response): Promise<Answer> {
    const text = await time.run(response.text())
    return { status: response.status, headers: response.headers, body: answerSchema.parse(JSON.parse(text)) }
  }

  return {
    ...kit,
    time,
    app,
    fetch,
    read,
    /** A signed-in buyer. */
    openBuyer: (options: { privateKey?: Hex; chainId?: number } = {}) =>
      openBuyer({ fetch, origin: TEST_ORIGIN, chainId: BASE_SEPOLIA.chainId, now, ...options }, read, time.run),
    /** Calls to each service so far. */
    calls: () => ({
      verify: kit.facilitator.state.verified.length,
      settle: kit.facilitator.state.settled.length,
      create: kit.provider.state.created.length,
      put: counts.put,
    }),
    /** One run of the scheduled job. */
    tick: () =>
      time.run(reconcile({ ...kit.deps, log: kit.log, waitUntil: (promise) => void background.push(promise) })),
    /** Waits for the work that continues after the answer. */
    finish: () => time.run(Promise.allSettled(background)),
  }
}

type Read = (response: Response) => Promise<Answer>
type Run = ReturnType<typeof makeVirtualTime>['run']

/** A signed-in buyer whose answers are read while virtual time passes. */
async function openBuyer(options: BuyerOptions, read: Read, run: Run) {
  const buyer = makeBuyer(options)
  const response = await buyer.signIn()
  if (response.status !== 200) throw new Error(`sign-in failed: ${await response.text()}`)
  return {
    ...buyer,
    /** A signed payment for a body, ready to be sent. */
    signedPayment: async (body: unknown, overrides?: SignOverrides) => buyer.sign(await buyer.quote(body), overrides),
    answer: async (body: unknown, header: string, headers?: Record<string, string>) =>
      read(await buyer.pay(body, header, headers)),
    stream: async (body: unknown, header: string) =>
      run(readEvents(await buyer.pay(body, header, { Accept: 'text/event-stream' }))),
    status: async (id: string, method = 'GET') => read(await buyer.call(`/api/inference/${id}`, { method })),
  }
}

export type Service = ReturnType<typeof openService>
