import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProxiedStack, startProxiedStack } from '../helpers/proxied-stack.ts'
import { faults } from '../helpers/proxy.ts'
import { openStory, type Story } from '../helpers/scenario.ts'
import { decodeHeader } from '../helpers/sign-payment.ts'
import { readEvents } from '../helpers/stack.ts'

let stack: ProxiedStack
beforeAll(async () => {
  stack = await startProxiedStack()
})
afterAll(() => stack?.stop())

let next = 0
const open = async (): Promise<Story> => openStory(stack, await stack.signedIn(next++ % 5))
const streaming = { Accept: 'text/event-stream' }
const statusOf = async (story: Story) => story.buyer.call(`/api/inference/${(await story.journal())?.['inference_id']}`)

describe('a stream', () => {
  it.concurrent('behavior: is kept open by comments while nothing happens', async ({ expect }) => {
    const story = await open()
    await story.script({ processingMs: 11_000 })
    const response = await story.fetch(streaming)
    const text = await response.text()
    expect(text).toMatch(/^: waiting$/m)
    expect(text).toMatch(/^event: result$/m)
  })

  it.concurrent('behavior: can be followed from a second connection; without Accept a 409 says where', async ({
    expect,
  }) => {
    const story = await open()
    await story.script({ processingMs: 4_000 })
    const settled = story.hold('create', 'answer')
    const first = story.fetch(streaming).then(readEvents)
    await settled.reached
    settled.release()
    expect(await story.send()).toEqual({
      status: 409,
      code: 'payment_in_progress',
      paymentState: 'settled',
      nextAction: 'poll',
    })
    expect(story.last().receipt).toMatchObject({ success: true })
    expect(story.last().body).toMatchObject({
      statusUrl: `/api/inference/${(await story.journal())?.['inference_id']}`,
    })
    const second = await readEvents(await story.fetch({ ...streaming, Prefer: 'respond-async' }))
    const names = second.map(({ event }) => event)
    expect(names[0]).toBe('settled')
    expect(names).toContain('running')
    expect(names).toContain('token')
    expect(second.at(-1)).toEqual((await first).at(-1))
    expect(second.at(-1)?.event).toBe('result')
    expect(await story.counts()).toEqual({ verify: 1, settle: 1, transfers: 1, predictions: 1 })
  })

  it.concurrent('behavior: a refusal by /verify is answered as without a stream', async ({ expect }) => {
    const story = await open()
    story.spoil('verify', faults.json({ isValid: false, invalidReason: 'insufficient_funds' }))
    const response = await story.fetch(streaming)
    expect(response.status).toBe(402)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  it.concurrent('behavior: an unknown settlement ends it with that problem', async ({ expect }) => {
    const story = await open()
    story.spoil('settle', faults.cut())
    const events = await readEvents(await story.fetch(streaming))
    expect(events.map(({ event }) => event)).toEqual(['verified', 'error'])
    expect(events.at(-1)?.data).toMatchObject({ code: 'settlement_unknown', paymentState: 'unknown' })
    const again = await readEvents(await story.fetch(streaming))
    expect(again.at(-1)?.event).toBe('result')
  })

  it.concurrent.for(['failed', 'canceled', 'aborted'])(
    'error: inference_failed when the run ended as %s, now and ever after',
    async (status, { expect }) => {
      const story = await open()
      await story.script({ status, error: 'CUDA out of memory' })
      const events = await readEvents(await story.fetch(streaming))
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'inference_failed', status: 502 } })
      const failed = { status: 502, code: 'inference_failed', paymentState: 'settled', nextAction: 'give_up' }
      expect(await story.send()).toEqual(failed)
      expect(story.last().receipt).toMatchObject({ success: true })
      expect(story.last().body).toMatchObject({ error: { code: status === 'failed' ? 'run_failed' : `run_${status}` } })
      expect((await readEvents(await story.fetch(streaming))).map(({ event }) => event)).toEqual(['settled', 'error'])
      expect(await story.counts()).toEqual({ verify: 1, settle: 1, transfers: 1, predictions: 1 })
      expect(await story.journal()).toMatchObject({ state: 'owed' })
      expect(await (await statusOf(story)).json()).toMatchObject({ status: 'failed', output: null })
    },
  )
})

describe('a purchase that continues by itself', () => {
  it.concurrent('behavior: Prefer: respond-async has a row and a receipt from settlement on', async ({ expect }) => {
    const story = await open()
    await story.script({ processingMs: 3_000 })
    expect(await story.send({ Prefer: 'respond-async' })).toEqual({
      status: 202,
      paymentState: 'settled',
      nextAction: 'poll',
    })
    const { headers, receipt, body } = story.last()
    expect(headers.get('Location')).toBe(`/api/inference/${body['id']}`)
    expect(receipt).toMatchObject({ success: true })
    const isOurs = (row: Record<string, unknown>) => row['id'] === body['id']
    expect((await stack.rows('inferences')).find(isOurs)).toMatchObject({ status: 'pending' })
    const status = await statusOf(story)
    expect(status.headers.get('Retry-After')).toBe('2')
    expect(await status.json()).toMatchObject({ id: body['id'], status: 'pending', output: null })
    await expect.poll(async () => (await (await statusOf(story)).json()).status, { timeout: 20_000 }).toBe('succeeded')
    expect((await stack.rows('inferences')).filter(isOurs)).toHaveLength(1)
  })

  it.concurrent('behavior: its status is readable before anything is settled', async ({ expect }) => {
    const story = await open()
    const hold = story.hold('settle', 'request')
    const answer = story.send()
    await hold.reached
    const status = await statusOf(story)
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
  const forget = (story: Story) =>
    stack.database.run(sql`update payments set lease_until = null, lease_token = null, next_attempt_at = now(),
      updated_at = now() - interval '3 seconds' where nonce = ${story.nonce}`)

  it('behavior: status calls drive it at most once per 2 s, HEAD never', async () => {
    const story = await open()
    await story.script({ processingMs: 6_000 })
    const answer = story.fetch({ Prefer: 'respond-async' })
    expect(decodeHeader((await answer).headers.get('Payment-Response'))).toMatchObject({ success: true })
    await expect
      .poll(async () => (await story.journal())?.['provider_prediction_id'], { timeout: 5_000 })
      .not.toBeNull()
    await stack.killWorker()
    const isPoll = story.trace.match('poll').match
    const path = `/api/inference/${(await story.journal())?.['inference_id']}`
    const looks = async (method: string, times: number): Promise<number> => {
      const before = stack.via.provider.count(isPoll)
      const calls = Array.from({ length: times }, () => story.buyer.call(path, { method }))
      for (const response of await Promise.all(calls)) expect(response.status).toBe(200)
      return stack.via.provider.count(isPoll) - before
    }
    await forget(story)
    expect(await looks('HEAD', 10)).toBe(0)
    const began = performance.now()
    const seen = (await looks('GET', 10)) + (await looks('GET', 10))
    expect(seen).toBeGreaterThan(0)
    expect(seen).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 2_000))
    await expect
      .poll(async () => (await (await statusOf(story)).json()).status, { timeout: 20_000, interval: 2_100 })
      .toBe('succeeded')
    expect(await story.counts()).toEqual({ verify: 1, settle: 1, transfers: 1, predictions: 1 })
  })
})
