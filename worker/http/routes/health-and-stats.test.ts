import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { K1, makeTestApp } from '../../../test/helpers/app.ts'
import { makeTestConfig, TEST_AIC } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'

const db = useDatabase()
const ME = K1.address.toLowerCase()
const ONE = 10n ** 18n

/** A kit with its own database object, so that tests do not share what an isolate caches. */
const setUp = (overrides: Parameters<typeof makeTestApp>[0] = {}) =>
  makeTestApp({ database: { ...db.database }, ...overrides })

describe('GET /api/health', () => {
  const OK = { status: 'ok', db: 'ok', r2: 'ok', replicate: 'ok' }

  it('default: ok, with a timestamp', async () => {
    const kit = setUp()
    const answer = await kit.client().get('/api/health')
    expect([answer.status, answer.json]).toEqual([200, { ...OK, timestamp: kit.clock.now().toISOString() }])
  })

  it('behavior: an outage of provider or store stops sales, without a 503', async () => {
    const kit = setUp()
    kit.provider.state.down = true
    const answer = await kit.client().get('/api/health')
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ ...OK, status: 'degraded', replicate: 'error' })
    expect(kit.deps.upstreams.isDown('provider', kit.clock.now())).toBe(true)
    expect(kit.deps.upstreams.isDown('store', kit.clock.now())).toBe(false)
  })

  it('error: 503 only when the database is out, without its words', async () => {
    const { client } = makeTestApp({
      database: { run: () => Promise.reject(new Error('postgres://secret')), batch: async () => [] },
    })
    const answer = await client().get('/api/health')
    expect([answer.status, answer.json]).toEqual([503, expect.objectContaining({ status: 'degraded', db: 'error' })])
    expect(answer.text).not.toContain('postgres')
  })

  it('behavior: a result is shared for 5 s, however many ask', async () => {
    const kit = setUp()
    let checks = 0
    kit.provider.check = async () => {
      checks += 1
    }
    const client = kit.client()
    await client.get('/api/health')
    kit.clock.advance(4_999)
    await Promise.all(Array.from({ length: 20 }, () => client.get('/api/health')))
    expect(checks).toBe(1)
    kit.clock.advance(1)
    await Promise.all(Array.from({ length: 20 }, () => client.get('/api/health')))
    expect(checks).toBe(2)
  })
})

describe('GET /api/stats', () => {
  it('default: empty', async () => {
    const kit = setUp()
    const answer = await kit.client().get('/api/stats')
    expect(answer.json).toEqual({
      inferences: { total: 0, succeeded: 0, failed: 0 },
      usdcSettled: '0.000000',
      aicSettled: '0.000000000000000000',
      aicBurnedAmount: '0.000000000000000000',
      models: [],
      days: [],
      asOf: kit.clock.now().toISOString(),
    })
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=60')
  })

  it('behavior: sums, exact money beyond 2^53, percentiles of recent runs and burned AIC', async () => {
    const run = (minute: number, predictTimeMs: number | null) =>
      seedInference(db.database, {
        owner: ME,
        createdAt: new Date(Date.UTC(2026, 10, 27, 10, minute)),
        predictTimeMs,
      })
    for (const [minute, ms] of [1000, 2000, 3000, 40_000].entries()) await run(minute, ms)
    await run(50, null)
    const usdc = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
    await db.database.batch([
      sql`insert into model_sum_parts (model, part, succeeded, failed, timed, predict_time_ms) values ('a/model', 0, 5, 1, 4, 46000)`,
      sql`insert into day_sum_parts (day, part, runs) values ('2026-11-26', 0, 2), ('2026-11-27', 0, 6)`,
      sql`insert into asset_sum_parts (chain_id, asset, part, amount) values (84532, ${usdc}, 0, 9007199254740993),
        (84532, ${TEST_AIC.paymentTokenAddress.toLowerCase()}, 0, 1), (1, ${usdc}, 0, 5)`,
    ])
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC }) })
    kit.chain.state.burned.set(TEST_AIC.paymentTokenAddress.toLowerCase(), 20n * ONE + 1n)
    expect((await kit.client().get('/api/stats')).json).toMatchObject({
      inferences: { total: 6, succeeded: 5, failed: 1 },
      usdcSettled: '9007199254.740993',
      aicSettled: '0.000000000000000001',
      aicBurnedAmount: '20.000000000000000001',
      models: [{ id: 'a/model', runs: 6, successRate: 0.8333, p50Seconds: 2, p95Seconds: 40 }],
      days: [
        { date: '2026-11-27', runs: 6 },
        { date: '2026-11-26', runs: 2 },
      ],
    })
  })

  it('behavior: shared for 60 s', async () => {
    const kit = setUp()
    const client = kit.client()
    const first = await client.get('/api/stats')
    kit.clock.advance(59_999)
    expect((await client.get('/api/stats')).json).toEqual(first.json)
    kit.clock.advance(1)
    expect((await client.get('/api/stats')).json).toMatchObject({ asOf: kit.clock.now().toISOString() })
  })

  it('behavior: after a minute, many calls make one query; the others get the cached answer', async () => {
    const kit = setUp()
    const client = kit.client()
    const first = await client.get('/api/stats')
    kit.clock.advance(60_000)
    const { batch } = kit.deps.database
    let queries = 0
    kit.deps.database.batch = (...statements) => {
      queries += 1
      return batch(...statements)
    }
    const flood = await Promise.all(Array.from({ length: 30 }, () => client.get('/api/stats')))
    kit.deps.database.batch = batch
    expect(queries).toBe(1)
    expect(flood.filter(({ text }) => text === first.text)).toHaveLength(29)
  })

  it('behavior: a chain that cannot be asked leaves the burned amount out, not at zero', async () => {
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC }) })
    kit.chain.state.down = true
    expect((await kit.client().get('/api/stats')).json).toMatchObject({ aicBurnedAmount: null })
  })
})
