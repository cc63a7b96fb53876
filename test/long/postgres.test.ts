import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { type ProxiedStack, startProxiedStack } from '../helpers/proxied-stack.ts'
import { openScenario, type Scenario } from '../helpers/scenario.ts'

const COPIES = 20
const postgres: TestPostgres | null = await startPostgres()
const title =
  postgres === null ? 'a real PostgreSQL (skipped: none is installed)' : 'a real PostgreSQL, many connections'

describe.skipIf(postgres === null)(title, () => {
  let stack: ProxiedStack
  beforeAll(async () => {
    stack = await startProxiedStack({ shell: { DATABASE_URL: postgres?.url } })
  })
  afterAll(async () => {
    await stack?.stop()
    await postgres?.close()
  })

  const open = async (index: number): Promise<Scenario> => {
    const validBefore = String(Math.floor(Date.now() / 1000) + 600)
    return openScenario(stack, await stack.signedIn(index), { validBefore })
  }
  const once = { verify: 1, settle: 1, transfers: 1, predictions: 1 }

  /** Sends all copies until each was served; returns their bodies. */
  async function sendAll(scenario: Scenario): Promise<string[]> {
    const one = async (): Promise<string> => {
      for (;;) {
        const response = await scenario.fetch().catch(() => null)
        const text = await response?.text().catch(() => null)
        if (response?.status === 200 && typeof text === 'string') return text
        if (response !== null) expect([202, 409, 503]).toContain(response.status)
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
    return Promise.all(Array.from({ length: COPIES }, one))
  }

  async function expectOneOfEach(scenario: Scenario, bodies: readonly string[], verify = [1]): Promise<void> {
    expect(new Set(bodies).size).toBe(1)
    const counts = await scenario.counts()
    expect(counts).toEqual({ ...once, verify: counts.verify })
    expect(verify).toContain(counts.verify)
    const id = (await scenario.journal())?.['inference_id']
    expect((await stack.rows('inferences')).filter((row) => row['id'] === id)).toHaveLength(1)
  }

  it('behavior: twenty copies at once make one settlement, one run, one row', async () => {
    const scenario = await open(0)
    const first = await Promise.all(Array.from({ length: COPIES }, () => scenario.fetch()))
    const statuses = new Set(first.map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 409]))
    await expectOneOfEach(scenario, await sendAll(scenario))
  })

  it('behavior: fifty payments of one wallet at once are fifty purchases', async () => {
    const stories = await Promise.all(Array.from({ length: 50 }, () => open(1)))
    expect(await Promise.all(stories.map((scenario) => scenario.send()))).toEqual(stories.map(() => ({ status: 200 })))
    for (const scenario of stories) expect(await scenario.counts()).toEqual(once)
  })

  it.each(['claim', 'settle', 'settled mark', 'create', 'record'] as const)(
    'behavior: twenty copies, the worker dies when %s is answered, twenty come back',
    async (arrow) => {
      const scenario = await open(2)
      const hold = scenario.hold(arrow, 'answer')
      const lost = Array.from({ length: COPIES }, () => scenario.send().catch(() => null))
      await hold.reached
      await stack.killWorker()
      await Promise.all(lost)
      hold.release()
      // As if its lease, and the minute in which a run may still appear, were over.
      await stack.database.run(sql`update payments set lease_until = null, lease_token = null,
      settled_at = settled_at - interval '61 seconds', next_attempt_at = case when next_attempt_at is null then null else now() end
      where nonce = ${scenario.nonce}`)
      // The answer held may be the claimer's, which then never verifies, or another copy's. A payment that may have been sent to
      // `/settle` is not verified again: only the chain decides.
      await expectOneOfEach(scenario, await sendAll(scenario), arrow === 'claim' ? [0, 1] : [1])
      await stack.killWorker()
      expect(await scenario.send()).toEqual({ status: 200 })
    },
  )
})
