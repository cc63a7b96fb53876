import { expect, it } from 'vitest'
import { K1, K2, makeTestApp } from '../../../test/helpers/app.ts'
import { makeTestConfig } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'
import { answers } from '../../http/openapi/schemas.ts'

const db = useDatabase()

async function operator(address = K1.address) {
  const config = makeTestConfig({ admins: [{ address: K1.address.toLowerCase(), chainId: null }] })
  const kit = makeTestApp({ config, database: db.database })
  const client = await kit.signedIn({ address })
  return { ...kit, metrics: () => client.get('/api/admin/metrics') }
}

const owner = K2.address.toLowerCase()

it('default: counts by state, the oldest unfinished payment and this isolate’s upstreams', async () => {
  const { metrics, clock, deps } = await operator()
  const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000)
  await seedInference(db.database, { owner, createdAt: ago(900), status: 'failed' })
  const oldest = await seedInference(db.database, { owner, createdAt: ago(90), status: 'pending' })
  await seedInference(db.database, { owner, createdAt: ago(30), status: 'pending' })
  deps.upstreams.latencies.record('chain', 250, true)
  deps.upstreams.recordCheck('store', false, clock.now())
  const answer = await metrics()
  expect(answers().AdminMetrics.parse(answer.json)).toEqual({
    payments: { claimed: 0, settling: 0, unknown: 0, settled: 2, done: 0, owed: 1, rejected: 0 },
    oldestUnfinished: { inferenceId: oldest, state: 'settled', createdAt: '2026-11-27T11:58:30.000Z', ageSeconds: 90 },
    overdueSeconds: 0,
    peers: expect.objectContaining({ chain: { calls: 1, failures: 0, p50Ms: 250, p95Ms: 250 } }),
    down: ['store'],
    asOf: '2026-11-27T12:00:00.000Z',
  })
})

it('behavior: an empty journal has no oldest payment', async () => {
  const { metrics } = await operator()
  expect((await metrics()).json).toMatchObject({ oldestUnfinished: null, overdueSeconds: 0, down: [] })
})

it('error: not_admin for another wallet, unauthenticated when signed out', async () => {
  expect((await (await operator(K2.address)).metrics()).json).toMatchObject({ status: 403, code: 'not_admin' })
  expect((await makeTestApp().client().get('/api/admin/metrics')).json).toMatchObject({ code: 'unauthenticated' })
})
