import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { countFinished, seedBacklog } from '../../../../test/helpers/backlog.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService } from '../../../../test/helpers/in-process-service.ts'
import { ProviderError } from '../../../upstreams/provider/provider.ts'
import { driveIfStuck } from '../jobs/reconcile.ts'

const db = useDatabase()
const COUNT = 200

/** Two workers with one provider and one clock. */
async function open() {
  const first = openService(db.database)
  const { clock, provider } = first
  const second = openService(db.database, { provider, now: () => clock.now() })
  await seedBacklog(db.database, COUNT, clock.now())
  return { first, second, provider }
}

it('behavior: two workers finish 200 purchases that wait for the provider, each once', {
  timeout: 120_000,
}, async () => {
  const { first, second, provider } = await open()
  await Promise.all([first.tick(), second.tick()])
  expect(await countFinished(db.database)).toEqual({ done: COUNT, records: COUNT })
  const runs = provider.state.created.map(({ webhookUrl }) => webhookUrl)
  expect([runs.length, new Set(runs).size]).toEqual([COUNT, COUNT])
})

it('behavior: a provider that is away gets one early try a run, which changes no plan', async () => {
  const { first, provider } = await open()
  let calls = 0
  provider.state.down = true
  provider.list = () => {
    calls += 1
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new ProviderError('unavailable', 'away')) }) }
  }
  const plans = () => db.database.run(sql`select attempts, min(next_attempt_at) as due from payments group by attempts`)
  const before = await plans()
  await first.tick()
  expect([calls, await plans()]).toEqual([1, before])
})

it.each(['job', 'call'])('behavior: a list read before a run could show starts no second one: %s', async (by) => {
  const service = openService(db.database)
  const { clock, provider, deps, time } = service
  await seedBacklog(db.database, 1, clock.now())
  const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString()
  const [row] =
    await db.database.run(sql`update payments set attempts = 0, reason = null, settled_at = ${at(-45)}::timestamptz,
    updated_at = ${at(-45)}::timestamptz, next_attempt_at = ${at(-1)}::timestamptz returning inference_id::text as id`)
  const inferenceId = String(row?.['id'])
  const drive = () =>
    by === 'job' ? service.tick() : time.run(driveIfStuck(deps, { inferenceId }, { untouchedSince: clock.now() }))
  const { list } = provider
  // The answer takes 20 s, and shows what there was when it was asked for.
  provider.list = async function* (since) {
    yield* list(since)
    clock.advance(20_000)
  }
  await drive()
  expect(provider.state.created).toHaveLength(0)
  provider.list = list
  await drive()
  expect(provider.state.created).toHaveLength(1)
})
