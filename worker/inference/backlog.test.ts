import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { countFinished, seedBacklog } from '../../test/helpers/backlog.ts'
import { useDatabase } from '../../test/helpers/in-process-database.ts'
import { openService } from '../../test/helpers/in-process-service.ts'
import { ProviderError } from '../providers/provider.ts'

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
