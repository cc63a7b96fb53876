import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../helpers/buyer.ts'
import { type ProxiedStack, startProxiedStack } from '../helpers/proxied-stack.ts'
import { faults } from '../helpers/proxy.ts'
import { openScenario, type Scenario } from '../helpers/scenario.ts'
import { makeOutsider } from '../helpers/token.ts'

let stack: ProxiedStack
beforeAll(async () => {
  stack = await startProxiedStack({ buyers: 8 })
})
afterAll(() => stack?.stop())

let next = 0
async function open(): Promise<Scenario> {
  const validBefore = String(Math.floor(Date.now() / 1000) + 600)
  return openScenario(stack, await stack.signedIn(next++ % 8), { validBefore })
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
    const scenario = await open()
    await scenario.script({ startingMs: 65_000 })
    const began = performance.now()
    expect(await scenario.send()).toEqual(pending)
    const seconds = (performance.now() - began) / 1_000
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThan(58)
    expect(scenario.last().headers.get('Location')).toBe(`/api/inference/${scenario.last().body['id']}`)
    const events = await readEvents(await scenario.fetch({ Accept: 'text/event-stream' }))
    expect(events[0]?.event).toBe('settled')
    expect(events.at(-1)).toMatchObject({ event: 'result', data: { status: 'succeeded' } })
    expect(await scenario.send()).toEqual(served)
    expect(await scenario.counts()).toEqual(once)
  })

  it.concurrent('behavior: a stream stays open during the same boot', async ({ expect }) => {
    const scenario = await open()
    await scenario.script({ startingMs: 65_000 })
    const events = await readEvents(await scenario.fetch({ Accept: 'text/event-stream' }))
    expect(events.slice(0, 2).map(({ event }) => event)).toEqual(['verified', 'settled'])
    expect(events.at(-1)?.event).toBe('result')
    expect(await scenario.counts()).toEqual(once)
  })

  it.concurrent('behavior: a hash the chain does not know is not believed', async ({ expect }) => {
    const scenario = await open()
    const transaction = `0x${'ab'.repeat(32)}`
    scenario.spoil('settle', faults.json({ success: true, transaction, network: stack.info.network }))
    expect(await scenario.send()).toEqual(unknown)
    expect(await scenario.counts()).toEqual({ ...once, transfers: 0, predictions: 0 })
    expect(await scenario.send()).toEqual(served)
    expect(await scenario.counts()).toEqual({ ...once, settle: 2 })
  })

  it.concurrent("behavior: another payment's hash is not believed either", async ({ expect }) => {
    const other = await open()
    expect(await other.send()).toEqual(served)
    const { metrics } = other.last().body as { metrics: { paymentTxHash: string } }
    const scenario = await open()
    const answer = { success: true, transaction: metrics.paymentTxHash, network: stack.info.network }
    scenario.spoil('settle', faults.json(answer))
    expect(await scenario.send()).toEqual(unknown)
    expect(await scenario.counts()).toEqual({ ...once, transfers: 0, predictions: 0 })
    expect(await scenario.send()).toEqual(served)
  })

  it.concurrent('behavior: the RPC fails for the whole call: the chain is read once it is back', async ({ expect }) => {
    const scenario = await open()
    const mend = scenario.spoil('receipt', faults.error(502), 1_000)
    expect(await scenario.send()).toEqual(unknown)
    // The facilitator named a hash that is not on the chain.
    expect(scenario.last().receipt).toBeNull()
    mend()
    expect(await scenario.send()).toEqual(served)
    expect(await scenario.counts()).toEqual(once)
  })

  it.concurrent('error: payment_rejected for a transfer made more than 30 s before it was sent to us', async ({
    expect,
  }) => {
    const outsider = makeOutsider(stack)
    const scenario = await open()
    await outsider.submit(scenario.header)
    const mined = await outsider.blockTime()
    await expect.poll(() => Date.now() / 1_000 - mined, { timeout: 60_000, interval: 500 }).toBeGreaterThan(33)
    expect(await scenario.send()).toEqual(rejected)
    expect(scenario.last().body['error']).toBe('authorization_already_used')
    expect(await scenario.counts()).toEqual({ verify: 1, settle: 0, transfers: 1, predictions: 0 })
  })
})

it('behavior: no purchase was paid or run twice', async () => {
  const done = (await stack.rows('payments')).filter(({ state }) => state === 'done')
  expect((await stack.rows('inferences')).length).toBe(done.length)
  expect(await stack.predictions()).toBe(done.length)
})
