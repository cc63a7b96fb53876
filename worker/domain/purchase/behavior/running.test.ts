import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Answer, requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { failed, pass, pending, served, unavailable, useRuns } from '../../../../test/helpers/paid-run.ts'
import type { Prediction } from '../../../upstreams/provider/provider.ts'

const { db, openWith, journal, record } = useRuns()

describe('a run that takes its time', () => {
  const play = (change: (prediction: Prediction, service: Service) => Partial<Prediction>) => (service: Service) => {
    service.provider.state.plays = (prediction) => ({ ...prediction, ...change(prediction, service) })
  }
  const running = { status: 'running', rawStatus: 'starting', output: null } as const
  const ageMs = (prediction: Prediction, service: Service): number =>
    service.clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)

  it('default: the start waits for the end where the caller waits for the result alone', async () => {
    const { service, buyer, pay } = await openWith(requests.text)
    await pay()
    await buyer.stream(requests.text, await buyer.signedPayment(requests.text))
    await buyer.answer(requests.text, await buyer.signedPayment(requests.text), { Prefer: 'respond-async' })
    await service.finish()
    expect(service.provider.state.created.map(({ waitSeconds }) => waitSeconds)).toEqual([5, 0, 0])
  })

  it('behavior: a cold boot of 20 s is waited for', async () => {
    const { service, pay } = await openWith(
      requests.text,
      play((prediction, service) => (ageMs(prediction, service) < 20_000 ? running : {})),
    )
    const arrivedAt = service.clock.now().getTime()
    expect(verdictOf(await pay())).toEqual(served)
    const tookMs = service.clock.now().getTime() - arrivedAt
    expect(tookMs).toBeGreaterThanOrEqual(20_000)
    expect(tookMs).toBeLessThan(22_000)
  })

  it('behavior: a boot of 90 s is 202 after 55 s and finished without the client', async () => {
    const { service, pay, create } = await openWith(
      requests.text,
      play((prediction, service) => (ageMs(prediction, service) < 90_000 ? running : {})),
    )
    const arrivedAt = service.clock.now().getTime()
    expect(verdictOf(await pay())).toEqual(pending)
    expect(service.clock.now().getTime() - arrivedAt).toBe(55_000)
    await service.finish()
    expect(await record()).toMatchObject({ status: 'succeeded' })
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('behavior: a run that never ends is cancelled and owed 45 minutes after settlement', async () => {
    const { service, pay } = await openWith(
      requests.text,
      play(() => ({ ...running, rawStatus: 'an unknown status' })),
    )
    await pay()
    await service.finish()
    await pass(service, 34, 120)
    expect(await journal()).toMatchObject({ state: 'settled' })
    await pass(service, 3)
    expect(await journal()).toMatchObject({ state: 'owed' })
    expect((await pay()).body['error']).toMatchObject({ code: 'run_timed_out' })
  })

  it.each([
    ['failed', 'NSFW content detected. Try running it again.', 'content_rejected'],
    ['failed', 'CUDA out of memory', 'run_failed'],
    ['canceled', null, 'run_canceled'],
    ['aborted', null, 'run_aborted'],
  ])('behavior: a run that %s (%s) fails the purchase as %s', async (rawStatus, error, code) => {
    const { pay, create } = await openWith(
      requests.text,
      play(() => ({ status: 'failed', rawStatus, error, output: null })),
    )
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(failed)
    expect(answer.body['error']).toMatchObject({ code })
    expect(verdictOf(await pay())).toEqual(failed)
    expect(create()).toBe(1)
    expect(await journal()).toMatchObject({ state: 'owed' })
  })

  it('behavior: a run without a time has no actual cost and does not enter the mean', async () => {
    const { pay } = await openWith(
      requests.text,
      play(() => ({ predictTimeMs: null })),
    )
    const answer = await pay()
    expect(answer.body['metrics']).toMatchObject({ predictTimeMs: null, actualCostUsdc: null })
    expect(await db.database.run(sql`select succeeded::int, timed::int from model_sum_parts`)).toEqual([
      { succeeded: 1, timed: 0 },
    ])
  })

  it('behavior: three dropped looks in a row are borne, four put the purchase off', async () => {
    for (const [misses, verdict] of [
      [3, served],
      [4, pending],
    ] as const) {
      await db.reset()
      const { service, pay, create } = await openWith(
        requests.text,
        play((prediction, service) => (ageMs(prediction, service) < 5_000 ? running : {})),
      )
      const { get } = service.provider
      let left = misses as number
      service.provider.get = (id) => {
        left -= 1
        return left >= 0 ? Promise.reject(unavailable()) : get(id)
      }
      expect(verdictOf(await pay())).toEqual(verdict)
      await pass(service, 1)
      expect(verdictOf(await pay())).toEqual(served)
      expect(create()).toBe(1)
    }
  })
})

describe('a provider that asks to be left alone', () => {
  it('behavior: for a year is tried again at the next longer delay, and the tries end', async () => {
    const { service, pay } = await openWith(requests.text, ({ provider }) => {
      provider.state.createError = unavailable({ retryAfterSeconds: 31_536_000 })
    })
    const settledAt = service.clock.now().getTime()
    await pay()
    const rows = await db.database.run(sql`select next_attempt_at from payments`)
    expect(new Date(String(rows[0]?.['next_attempt_at'])).getTime() - settledAt).toBe(60_000)
    for (const delay of [1, 5, 30, 120, 120]) {
      expect(await journal()).toMatchObject({ state: 'settled' })
      await pass(service, delay, delay * 60)
    }
    expect(verdictOf(await pay())).toEqual(failed)
  })
})

describe('upstreams known to be down', () => {
  it('behavior: nothing is charged while the provider failed three times in a row', async () => {
    const { service, buyer } = await openWith()
    const now = service.clock.now()
    const header = await buyer.signedPayment(requests.text)
    for (let failures = 0; failures < 3; failures += 1) service.deps.upstreams.recordFailure('provider', now)
    const answer: Answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toEqual({
      status: 503,
      code: 'model_unavailable',
      paymentState: 'unused',
      nextAction: 'wait_and_retry',
    })
    expect(service.calls()).toEqual({ verify: 0, settle: 0, create: 0, put: 0 })
    service.clock.advance(31_000)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
  })
})
