import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents, readUntil } from '../helpers/buyer.ts'
import { borrowProxiedStack, type ProxiedStack } from '../helpers/proxied-stack.ts'
import { faults } from '../helpers/proxy.ts'
import { openScenario, type Scenario } from '../helpers/scenario.ts'
import { decodeHeader } from '../helpers/sign-payment.ts'

let stack: ProxiedStack
beforeAll(async () => {
  stack = await borrowProxiedStack()
})
afterAll(() => stack?.stop())

let next = 0
const open = async (): Promise<Scenario> => openScenario(stack, await stack.signedIn(next++ % 5))
const streaming = { Accept: 'text/event-stream' }
const statusOf = async (scenario: Scenario) =>
  scenario.buyer.call(`/api/inference/${(await scenario.journal())?.['inference_id']}`)

describe('a stream', () => {
  it.concurrent('behavior: is kept open by comments while nothing happens', async ({ expect }) => {
    const scenario = await open()
    await scenario.script({ processingMs: 11_000 })
    const response = await scenario.fetch(streaming)
    const text = await response.text()
    expect(text).toMatch(/^: waiting$/m)
    expect(text).toMatch(/^event: result$/m)
  })

  it.concurrent('behavior: can be followed from a second connection; without Accept a 409 says where', async ({
    expect,
  }) => {
    const scenario = await open()
    const endRun = await scenario.holdRun()
    const first = await readUntil(await scenario.fetch(streaming), 'running')
    expect(await scenario.send()).toEqual({
      status: 409,
      code: 'payment_in_progress',
      paymentState: 'settled',
      nextAction: 'poll',
    })
    expect(scenario.last().receipt).toMatchObject({ success: true })
    expect(scenario.last().body).toMatchObject({
      statusUrl: `/api/inference/${(await scenario.journal())?.['inference_id']}`,
    })
    const following = await readUntil(await scenario.fetch({ ...streaming, Prefer: 'respond-async' }), 'running')
    await endRun()
    const second = await following.ended
    expect(second[0]?.event).toBe('settled')
    expect(second.at(-1)).toEqual((await first.ended).at(-1))
    expect(second.at(-1)?.event).toBe('result')
    expect(await scenario.counts()).toEqual({ verify: 1, settle: 1, transfers: 1, predictions: 1 })
  })

  it.concurrent('behavior: a refusal by /verify is answered as without a stream', async ({ expect }) => {
    const scenario = await open()
    scenario.spoil('verify', faults.json({ isValid: false, invalidReason: 'insufficient_funds' }))
    const response = await scenario.fetch(streaming)
    expect(response.status).toBe(402)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  it.concurrent('behavior: an unknown settlement ends it with that problem', async ({ expect }) => {
    const scenario = await open()
    scenario.spoil('settle', faults.cut())
    const events = await readEvents(await scenario.fetch(streaming))
    expect(events.map(({ event }) => event)).toEqual(['verified', 'error'])
    expect(events.at(-1)?.data).toMatchObject({ code: 'settlement_unknown', paymentState: 'unknown' })
    const again = await readEvents(await scenario.fetch(streaming))
    expect(again.at(-1)?.event).toBe('result')
  })

  it.concurrent.for(['failed', 'canceled', 'aborted'])(
    'error: inference_failed when the run ended as %s, now and ever after',
    async (status, { expect }) => {
      const scenario = await open()
      await scenario.script({ status, error: 'CUDA out of memory' })
      const events = await readEvents(await scenario.fetch(streaming))
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'inference_failed', status: 502 } })
      const failed = { status: 502, code: 'inference_failed', paymentState: 'settled', nextAction: 'give_up' }
      expect(await scenario.send()).toEqual(failed)
      expect(scenario.last().receipt).toMatchObject({ success: true })
      expect(scenario.last().body).toMatchObject({
        error: { code: status === 'failed' ? 'run_failed' : `run_${status}` },
      })
      expect((await readEvents(await scenario.fetch(streaming))).map(({ event }) => event)).toEqual([
        'settled',
        'error',
      ])
      expect(await scenario.counts()).toEqual({ verify: 1, settle: 1, transfers: 1, predictions: 1 })
      expect(await scenario.journal()).toMatchObject({ state: 'owed' })
      expect(await (await statusOf(scenario)).json()).toMatchObject({ status: 'failed', output: null })
    },
  )
})

describe('a purchase that continues by itself', () => {
  it.concurrent('behavior: Prefer: respond-async has a row and a receipt from settlement on', async ({ expect }) => {
    const scenario = await open()
    const endRun = await scenario.holdRun()
    expect(await scenario.send({ Prefer: 'respond-async' })).toEqual({
      status: 202,
      paymentState: 'settled',
      nextAction: 'poll',
    })
    const { headers, receipt, body } = scenario.last()
    expect(headers.get('Location')).toBe(`/api/inference/${body['id']}`)
    expect(receipt).toMatchObject({ success: true })
    const isOurs = (row: Record<string, unknown>) => row['id'] === body['id']
    expect((await stack.rows('inferences')).find(isOurs)).toMatchObject({ status: 'pending' })
    const status = await statusOf(scenario)
    expect(status.headers.get('Retry-After')).toBe('2')
    expect(await status.json()).toMatchObject({ id: body['id'], status: 'pending', output: null })
    await endRun()
    await expect.poll(async () => (await (await statusOf(scenario)).json()).status).toBe('succeeded')
    expect((await stack.rows('inferences')).filter(isOurs)).toHaveLength(1)
  })

  it.concurrent('behavior: its status is readable before anything is settled', async ({ expect }) => {
    const scenario = await open()
    const hold = scenario.hold('settle', 'request')
    const answer = scenario.send()
    await hold.reached
    const status = await statusOf(scenario)
    expect([status.status, status.headers.get('Retry-After')]).toEqual([200, '2'])
    expect(await status.json()).toMatchObject({
      status: 'pending',
      paymentState: 'in_flight',
      nextAction: 'poll',
      metrics: { paymentTxHash: null },
    })
    hold.release()
    expect(await answer).toEqual({ status: 200 })
  })
})

describe('a purchase whose driver is dead', () => {
  /** As if its lease had expired and no driver had touched it for a while. */
  const forget = (scenario: Scenario) =>
    stack.database.run(sql`update payments set lease_until = null, lease_token = null, next_attempt_at = now(),
      updated_at = now() - interval '3 seconds' where nonce = ${scenario.nonce}`)

  it('behavior: status calls drive it at most once per 2 s, HEAD never', async () => {
    const scenario = await open()
    // At its end the provider would call the webhook, which reads the run too.
    const endRun = await scenario.holdRun()
    const answer = scenario.fetch({ Prefer: 'respond-async' })
    expect(decodeHeader((await answer).headers.get('Payment-Response'))).toMatchObject({ success: true })
    await expect.poll(async () => (await scenario.journal())?.['provider_prediction_id']).not.toBeNull()
    await stack.killWorker()
    const isPoll = scenario.trace.match('poll').match
    const path = `/api/inference/${(await scenario.journal())?.['inference_id']}`
    const looks = async (method: string, times: number): Promise<number> => {
      const before = stack.via.provider.count(isPoll)
      const calls = Array.from({ length: times }, () => scenario.buyer.call(path, { method }))
      for (const response of await Promise.all(calls)) expect(response.status).toBe(200)
      return stack.via.provider.count(isPoll) - before
    }
    await forget(scenario)
    expect(await looks('HEAD', 10)).toBe(0)
    const began = performance.now()
    const seen = (await looks('GET', 10)) + (await looks('GET', 10))
    expect(seen).toBeGreaterThan(0)
    expect(seen).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 2_000))
    await endRun()
    await expect
      .poll(async () => (await (await statusOf(scenario)).json()).status, { interval: 2_100 })
      .toBe('succeeded')
    expect(await scenario.counts()).toEqual({ verify: 1, settle: 1, transfers: 1, predictions: 1 })
  })
})
