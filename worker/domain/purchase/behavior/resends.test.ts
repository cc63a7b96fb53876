import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import type { SettleOutcome } from '../../../upstreams/facilitator/facilitator.ts'

const db = useDatabase()

const HASH = `0x${'ab'.repeat(32)}` as const
const SILENT: SettleOutcome = { kind: 'unknown', reason: 'no answer within 30000 ms' }
const REVERTED: SettleOutcome = { kind: 'unknown', reason: 'transaction_reverted', transaction: HASH }
const unknown = { status: 503, code: 'settlement_unknown', paymentState: 'unknown', nextAction: 'retry_same_payment' }

async function open(outcome: SettleOutcome, config = makeTestConfig()) {
  const service = openService(db.database, { config })
  service.facilitator.state.settles = async () => outcome
  const buyer = await service.openBuyer()
  const validBefore = String(Math.floor(service.clock.now().getTime() / 1000) + 800)
  const pay = async () => {
    const header = await buyer.signedPayment(requests.text, { validBefore })
    return () => buyer.answer(requests.text, header)
  }
  return { service, pay }
}

const counted = async () => (await db.database.run(sql`select cardinality(recent) as n from paid_rates`))[0]?.['n']

describe('/settle for one payment', () => {
  it('behavior: is sent at most three times, however often the payment comes', async () => {
    const { service, pay } = await open(SILENT)
    const again = await pay()
    for (let copies = 0; copies < 30; copies += 1) expect(verdictOf(await again())).toEqual(unknown)
    expect(service.calls()).toMatchObject({ verify: 1, settle: 3, create: 0 })
  })

  it('behavior: each time counts in the wallet’s paid rate', async () => {
    const { pay } = await open(SILENT)
    const again = await pay()
    for (let copies = 0; copies < 5; copies += 1) await again()
    expect(await counted()).toBe(3)
  })

  it('behavior: is not sent again while the paid rate is used up', async () => {
    const { service, pay } = await open(SILENT)
    const payments = []
    for (let count = 0; count < 10; count += 1) payments.push(await pay())
    for (const send of payments) await send()
    const settle = service.calls().settle
    const [first = () => Promise.reject(new Error('no payment'))] = payments
    expect(verdictOf(await first())).toEqual(unknown)
    expect(service.calls().settle).toBe(settle)
    service.clock.advance(61_000)
    await first()
    expect(service.calls().settle).toBe(settle + 1)
  })

  it('behavior: is not sent again once its transaction reverted', async () => {
    const { service, pay } = await open(REVERTED)
    service.chain.state.reverted.add(HASH)
    const again = await pay()
    for (let copies = 0; copies < 5; copies += 1) expect(verdictOf(await again())).toEqual(unknown)
    expect(service.calls().settle).toBe(1)
  })

  it('behavior: ends as not paid when a reverted authorization expires', async () => {
    const { service, pay } = await open(REVERTED)
    service.chain.state.reverted.add(HASH)
    const again = await pay()
    await again()
    service.clock.advance(820_000)
    expect(await again()).toMatchObject({ status: 402, body: { paymentState: 'unused' } })
  })

  it('behavior: a transaction that is not mined yet does not keep it from being sent again', async () => {
    const { service, pay } = await open(REVERTED)
    const again = await pay()
    await again()
    await again()
    expect(service.calls().settle).toBe(2)
  })

  it('default: without limits it is sent again as often as a payment allows', async () => {
    const { service, pay } = await open(SILENT, makeTestConfig({ rateLimits: false }))
    const again = await pay()
    for (let copies = 0; copies < 5; copies += 1) await again()
    expect(service.calls().settle).toBe(3)
  })
})
