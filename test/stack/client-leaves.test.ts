import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Arrow, traceOf } from '../helpers/arrows.ts'
import { type Buyer, makeBuyer } from '../helpers/buyer.ts'
import { borrowProxiedStack, type ProxiedStack } from '../helpers/proxied-stack.ts'
import { makeResettable } from '../helpers/resettable.ts'
import { nonceOf } from '../helpers/sign-payment.ts'
import { type Kind, TASKS } from './fault-points.ts'

let stack: ProxiedStack
let buyer: Buyer
const client = makeResettable()
/** How much of each there was before. */
let before: number[]

beforeAll(async () => {
  stack = await borrowProxiedStack()
  const { origin, chainId, buyers } = stack.info
  const [first] = buyers
  if (first === undefined) throw new Error('no buyer')
  buyer = makeBuyer({ fetch: client.fetch, origin, chainId, privateKey: first.privateKey })
  expect((await buyer.signIn()).status).toBe(200)
  before = await counts()
})
afterAll(() => stack?.stop())

/** Transfers, runs, records. */
const counts = async () => [
  (await stack.transfers()).length,
  await stack.predictions(),
  (await stack.rows('inferences')).length,
]

/** After an answer to another call the worker has seen that a client left. */
const roundTrip = async () => void (await (await fetch(`${stack.info.origin}/api/auth/session`)).text())

async function stateOf(nonce: string): Promise<unknown> {
  return (await stack.rows('payments')).find((row) => row['nonce'] === nonce)?.['state']
}

const rows: [kind: Kind, arrow: Arrow, moment: 'before' | 'after', accept: string][] = [
  ['text', 'claim', 'after', 'application/json'],
  ['text', 'verify', 'before', 'text/event-stream'],
  ['text', 'settle', 'before', 'application/json'],
  ['text', 'settle', 'after', 'text/event-stream'],
  ['text', 'receipt', 'after', 'application/json'],
  ['text', 'settled mark', 'after', 'application/json'],
  ['text', 'create', 'before', 'text/event-stream'],
  ['text', 'create', 'after', 'application/json'],
  ['text', 'prediction id', 'before', 'text/event-stream'],
  ['text', 'poll', 'after', 'text/event-stream'],
  ['text', 'record', 'before', 'application/json'],
  ['image', 'file', 'after', 'application/json'],
  ['image', 'object', 'before', 'text/event-stream'],
  ['sound', 'poll', 'before', 'text/event-stream'],
]

describe('a client that leaves by a socket reset', () => {
  it.concurrent.for(rows)(
    'behavior: %s, at %s (%s), accepting %s: the purchase still ends',
    async ([kind, arrow, moment, accept], { expect }) => {
      const body = { ...TASKS[kind], input: { prompt: `A harbour at ${arrow}, ${moment}, ${accept}` } }
      const header = await buyer.sign(await buyer.quote(body))
      const nonce = nonceOf(header)
      const { part, match } = traceOf(stack, nonce).match(arrow)
      const hold = stack.via[part].hold(match, moment === 'before' ? 'request' : 'answer')
      const left = buyer
        .pay(body, header, { Accept: accept })
        .then((response) => response.text())
        .catch((error: unknown) => error)
      await hold.reached
      client.reset((headers) => headers.get('Payment-Signature') === header)
      expect(await left).toBeInstanceOf(Error)
      await roundTrip()
      hold.release()
      // No other driver continues it: there is no scheduled job, and the webhook comes while the abandoned call has the lease.
      await expect.poll(() => stateOf(nonce), { timeout: 60_000, interval: 250 }).toBe('done')
      const answer = await buyer.pay(body, header)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ status: 'succeeded' })
    },
  )

  it('behavior: each was paid once, run once, recorded once', async () => {
    expect(await counts()).toEqual(before.map((count) => count + rows.length))
    const records = (await stack.rows('inferences')).slice(-rows.length)
    expect(records.map(({ status }) => status)).toEqual(rows.map(() => 'succeeded'))
  })
})
