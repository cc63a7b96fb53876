import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type InProcessDatabase, openInProcessDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'
import { startPostgres, type TestPostgres } from '../../../../test/helpers/postgres.ts'

const postgres: TestPostgres | null = await startPostgres()

/** On a real PostgreSQL every call has its own connection: locks are waited for, and races happen. */
describe.skipIf(postgres === null)('callers at once, on PostgreSQL', () => {
  let db: InProcessDatabase
  beforeAll(async () => {
    if (postgres !== null) db = await openInProcessDatabase({ postgresUrl: postgres.url })
  })
  afterAll(async () => {
    await db?.close()
    await postgres?.close()
  })
  beforeEach(() => db.reset())

  const counts = async () => {
    const [row] = await db.database.run(sql`select (select count(*)::int from payments) as payments,
      (select count(*)::int from inferences where status = 'succeeded') as records,
      (select coalesce(sum(succeeded), 0)::int from model_sum_parts) as runs,
      (select coalesce(sum(amount), 0)::text from asset_sum_parts) as received`)
    return row
  }

  it('behavior: twenty copies of one payment: one settlement, one run, one record', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const answers = await Promise.all(Array.from({ length: 20 }, () => buyer.answer(requests.text, header)))
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(new Set(answers.map(({ body }) => body.id ?? body.statusUrl?.split('/').at(-1))).size).toBe(1)
    expect(service.calls()).toEqual({ verify: 1, settle: 1, create: 1, put: 0 })
    expect(await counts()).toEqual({ payments: 1, records: 1, runs: 1, received: '3000' })
  })

  it('behavior: thirty payments of one wallet: ten are claimed, twenty wait their turn', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const required = await buyer.quote(requests.text)
    const headers = await Promise.all(Array.from({ length: 30 }, () => buyer.sign(required)))
    const answers = await Promise.all(headers.map((header) => buyer.answer(requests.text, header)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    expect(service.calls()).toMatchObject({ verify: 10, settle: 10, create: 10 })
    expect(await counts()).toEqual({ payments: 10, records: 10, runs: 10, received: '30000' })
  })

  it('behavior: buyer, three jobs and ten status calls on one paid payment: one run', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const validBefore = String(Math.floor(service.clock.now().getTime() / 1000) + 300)
    const header = await buyer.signedPayment(requests.text, { validBefore })
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 504' })
    const { body } = await buyer.answer(requests.text, header)
    const id = String(body.statusUrl).split('/').at(-1) ?? ''
    const minedAt = service.clock.now()
    const { script } = service.chain.state
    script.authorizationStatus = async () => ({ spent: true, blockTime: service.clock.now() })
    script.authorizationOutcome = async () => ({
      kind: 'transferred',
      transaction: `0x${'cd'.repeat(32)}`,
      logIndex: 1,
      blockTime: minedAt,
      confirmations: 1,
    })
    service.clock.advance(12_000)
    await Promise.all([
      buyer.answer(requests.text, header),
      ...Array.from({ length: 3 }, () => service.tick()),
      ...Array.from({ length: 10 }, () => buyer.status(id)),
    ])
    await service.finish()
    expect((await buyer.answer(requests.text, header)).status).toBe(200)
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
    expect(await counts()).toEqual({ payments: 1, records: 1, runs: 1, received: '3000' })
  })
})
