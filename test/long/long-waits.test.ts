import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProxiedStack, startProxiedStack } from '../helpers/proxied-stack.ts'
import { faults } from '../helpers/proxy.ts'
import { openStory, type Story } from '../helpers/scenario.ts'
import { readEvents } from '../helpers/stack.ts'
import { makeOutsider } from '../helpers/token.ts'

let stack: ProxiedStack
beforeAll(async () => {
  stack = await startProxiedStack({ buyers: 8 })
})
afterAll(() => stack?.stop())

let next = 0
async function open(): Promise<Story> {
  const validBefore = String(Math.floor(Date.now() / 1000) + 600)
  return openStory(stack, await stack.signedIn(next++ % 8), { validBefore })
}

const served = { status: 200 }
const pending = { status: 202, paymentState: 'settled', nextAction: 'poll' }
const rejected = {
  status: 402,
  code: 'payment_rejected',
  paymentState: 'unused',
  nextAction: 'sign_new_payment',
}
const unknown = {
  status: 503,
  code: 'settlement_unknown',
  paymentState: 'unknown',
  nextAction: 'retry_same_payment',
}
const once = { verify: 1, settle: 1, transfers: 1, predictions: 1 }

describe('waits of a minute', () => {
  it.concurrent('behavior: a model that boots for 65 s is answered by 202 within 55 s and then followed', async ({
    expect,
  }) => {
    const story = await open()
    await story.script({ startingMs: 65_000 })
    const began = performance.now()
    expect(await story.send()).toEqual(pending)
    const seconds = (performance.now() - began) / 1_000
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThan(58)
    expect(story.last().headers.get('Location')).toBe(`/api/inference/${story.last().body['id']}`)
    const events = await readEvents(await story.fetch({ Accept: 'text/event-stream' }))
    expect(events[0]?.event).toBe('settled')
    expect(events.at(-1)).toMatchObject({ event: 'result', data: { status: 'succeeded' } })
    expect(await story.send()).toEqual(served)
    expect(await story.counts()).toEqual(once)
  })

  it.concurrent('behavior: a stream stays open during the same boot', async ({ expect }) => {
    const story = await open()
    await story.script({ startingMs: 65_000 })
    const events = await readEvents(await story.fetch({ Accept: 'text/event-stream' }))
    expect(events.slice(0, 2).map(({ event }) => event)).toEqual(['verified', 'settled'])
    expect(events.at(-1)?.event).toBe('result')
    expect(await story.counts()).toEqual(once)
  })

  it.concurrent('behavior: a hash the chain does not know is not believed', async ({ expect }) => {
    const story = await open()
    const transaction = `0x${'ab'.repeat(32)}`
    story.spoil('settle', faults.json({ success: true, transaction, network: stack.facts.network }))
    expect(await story.send()).toEqual(unknown)
    expect(await story.counts()).toEqual({ ...once, transfers: 0, predictions: 0 })
    expect(await story.send()).toEqual(served)
    expect(await story.counts()).toEqual({ ...once, settle: 2 })
  })

  it.concurrent("behavior: another payment's hash is not believed either", async ({ expect }) => {
    const other = await open()
    expect(await other.send()).toEqual(served)
    const { metrics } = other.last().body as { metrics: { paymentTxHash: string } }
    const story = await open()
    const answer = { success: true, transaction: metrics.paymentTxHash, network: stack.facts.network }
    story.spoil('settle', faults.json(answer))
    expect(await story.send()).toEqual(unknown)
    expect(await story.counts()).toEqual({ ...once, transfers: 0, predictions: 0 })
    expect(await story.send()).toEqual(served)
  })

  it.concurrent('behavior: the RPC fails for the whole call: the chain is read once it is back', async ({ expect }) => {
    const story = await open()
    const mend = story.spoil('receipt', faults.error(502), 1_000)
    expect(await story.send()).toEqual(unknown)
    // The facilitator named a hash that is not on the chain.
    expect(story.last().receipt).toBeNull()
    mend()
    expect(await story.send()).toEqual(served)
    expect(await story.counts()).toEqual(once)
  })

  it.concurrent('error: payment_rejected for a transfer made more than 30 s before it was sent to us', async ({
    expect,
  }) => {
    const outsider = makeOutsider(stack)
    const story = await open()
    await outsider.submit(story.header)
    const mined = await outsider.blockTime()
    await expect.poll(() => Date.now() / 1_000 - mined, { timeout: 60_000, interval: 500 }).toBeGreaterThan(33)
    expect(await story.send()).toEqual(rejected)
    expect(story.last().body['error']).toBe('authorization_already_used')
    expect(await story.counts()).toEqual({ verify: 1, settle: 0, transfers: 1, predictions: 0 })
  })
})

it('behavior: no purchase was paid or run twice', async () => {
  const done = (await stack.rows('payments')).filter(({ state }) => state === 'done')
  expect((await stack.rows('inferences')).length).toBe(done.length)
  expect(await stack.predictions()).toBe(done.length)
})
