import { afterAll, expect, it } from 'vitest'
import { makeNodeServer } from '../../worker/node/server.ts'
import { countFinished, seedBacklog } from '../helpers/backlog.ts'
import { makeTestDeps } from '../helpers/deps.ts'
import { makeFakeProvider } from '../helpers/fakes/provider.ts'
import { openInProcessDatabase } from '../helpers/in-process-database.ts'
import { startPostgres } from '../helpers/postgres.ts'

const COUNT = 10_000
const WITHIN_MS = 5 * 60_000
const SWEEP_MS = 60_000
const RUN_MS = 3_000

const postgres = await startPostgres()
afterAll(() => postgres?.close())

/**
 * The ten minutes without the provider are not waited for: the rows are written as they leave them. From the provider's return on, time
 * is real: two workers with their timers and their scheduled job, real PostgreSQL behind Neon's driver, runs of 3 s.
 */
it.skipIf(postgres === null)(
  'behavior: 10,000 purchases end within 5 minutes (skipped without PostgreSQL)',
  async () => {
    const opened = await openInProcessDatabase({ postgresUrl: postgres?.url ?? '' })
    const clock = { now: () => new Date() }
    const provider = makeFakeProvider(clock)
    provider.state.plays = (run) => {
      const isOver = Date.now() - (run.createdAt?.getTime() ?? 0) >= RUN_MS
      return isOver ? run : { ...run, status: 'running', rawStatus: 'processing', output: null }
    }
    const workers = [1, 2].map(() => {
      const { deps } = makeTestDeps({ database: opened.database, provider, now: clock.now })
      return makeNodeServer(deps, null)
    })
    await seedBacklog(opened.database, COUNT, clock.now())
    const startedAt = Date.now()
    for (const worker of workers) {
      worker.driveWhenDue()
      void worker.reconcile()
    }
    const sweep = setInterval(() => workers.map((worker) => worker.reconcile()), SWEEP_MS)
    const done = async (): Promise<number> => (await countFinished(opened.database)).done
    await expect.poll(done, { interval: 1_000, timeout: WITHIN_MS }).toBe(COUNT)
    console.info(`10,000 purchases in ${Math.round((Date.now() - startedAt) / 1000)} s`)
    clearInterval(sweep)
    await Promise.all(workers.map((worker) => worker.stop(10_000)))
    expect(await countFinished(opened.database)).toEqual({ done: COUNT, records: COUNT })
    const runs = provider.state.created.map(({ webhookUrl }) => webhookUrl)
    expect([runs.length, new Set(runs).size]).toEqual([COUNT, COUNT])
    await opened.close()
  },
  WITHIN_MS + 120_000,
)
