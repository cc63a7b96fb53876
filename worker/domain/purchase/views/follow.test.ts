import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/helpers/app.ts'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { makeReplicate } from '../../../upstreams/provider/replicate.ts'

const db = useDatabase()

const STREAM = { Accept: 'text/event-stream' }

/** A run of `ms`, and how often it was read at the provider and in the database. */
async function open(ms: number) {
  const service = openService(db.database)
  const { provider } = service
  provider.state.output = ['it is', ' the sky']
  provider.state.plays = (prediction) => {
    const age = service.clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)
    return age >= ms ? prediction : { ...prediction, status: 'running', rawStatus: 'processing', output: ['it is'] }
  }
  const reads = { provider: 0, database: 0 }
  const { get } = provider
  provider.get = (id) => {
    reads.provider += 1
    return get(id)
  }
  const { run } = service.deps.database
  service.deps.database = {
    ...service.deps.database,
    run: (...args) => {
      reads.database += 1
      return run(...args)
    },
  }
  const buyer = await service.openBuyer()
  return { service, buyer, header: await buyer.signedPayment(requests.text), reads }
}

describe('followers of one purchase', () => {
  it('behavior: four watch as much as one: the provider and the database are read no more often', async () => {
    const count = async (followers: number) => {
      const { service, buyer, header, reads } = await open(60_000)
      const first = buyer.stream(requests.text, header)
      await service.time.advance(1_000)
      const others = Array.from({ length: followers }, () => buyer.stream(requests.text, header))
      const ends = (await Promise.all([first, ...others])).map((events) => events.at(-1))
      for (const end of ends) expect(end).toEqual(ends[0])
      await db.reset()
      return reads
    }
    const [one, four] = [await count(1), await count(4)]
    expect(four.provider).toBeLessThanOrEqual(one.provider + 2)
    expect(four.database).toBeLessThanOrEqual(one.database + 6)
  })

  it('error: payment_in_progress for the fifth, which has a place again when another ends', async () => {
    const { service, buyer, header } = await open(120_000)
    const first = buyer.stream(requests.text, header)
    await service.time.advance(1_000)
    const four = await Promise.all(Array.from({ length: 4 }, () => buyer.pay(requests.text, header, STREAM)))
    expect(four.map(({ headers }) => headers.get('Content-Type'))).toEqual(Array(4).fill('text/event-stream'))
    const fifth = await buyer.answer(requests.text, header, STREAM)
    expect(verdictOf(fifth)).toMatchObject({ status: 409, code: 'payment_in_progress', nextAction: 'poll' })
    expect(fifth.body.statusUrl).toMatch(/^\/api\/inference\//)
    await four[0]?.body?.cancel()
    await service.time.advance(6_000)
    const sixth = await buyer.pay(requests.text, header, STREAM)
    expect(sixth.headers.get('Content-Type')).toBe('text/event-stream')
    await Promise.all([sixth, ...four.slice(1)].map(({ body }) => body?.cancel()))
    expect((await first).at(-1)?.event).toBe('result')
  })

  it('behavior: a follower whose client leaves reads nothing more', async () => {
    const { service, buyer, header, reads } = await open(120_000)
    const driven = buyer.pay(requests.text, header, { Prefer: 'respond-async' })
    await service.time.advance(2_000)
    await driven
    const follower = await buyer.pay(requests.text, header, STREAM)
    await service.time.advance(2_000)
    await follower.body?.cancel()
    await service.time.advance(6_000)
    const before = reads.database
    await service.time.advance(30_000)
    // The driver renews its lease alone.
    expect(reads.database - before).toBeLessThanOrEqual(2)
  })
})

describe('a provider that answers 429', () => {
  it('behavior: a 429 to our read is not an outage: health is ok and sales continue', async () => {
    const provider = makeReplicate(makeTestConfig().provider, {
      fetch: async () => new Response('{"detail":"throttled","retry_after":1}', { status: 429 }),
      sleep: async () => undefined,
    })
    const { deps, clock, client } = makeTestApp({ provider, database: { ...db.database } })
    expect((await client().get('/api/health')).json).toMatchObject({ status: 'ok', replicate: 'ok' })
    expect(deps.upstreams.isDown('provider', clock.now())).toBe(false)
  })

  it.each([401, 500])('error: %d to the health check still is one', async (status) => {
    const provider = makeReplicate(makeTestConfig().provider, { fetch: async () => new Response('', { status }) })
    const { deps, clock, client } = makeTestApp({ provider, database: { ...db.database } })
    expect((await client().get('/api/health')).json).toMatchObject({ status: 'degraded', replicate: 'error' })
    expect(deps.upstreams.isDown('provider', clock.now())).toBe(true)
  })
})
