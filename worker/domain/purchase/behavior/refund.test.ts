import { describe, expect, it } from 'vitest'
import { rerunFailed, resolveOwed } from '../../../../db/queries/operator.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'

const db = useDatabase()

/** A paid run that failed for good, unless `succeeds`, and the three places where its buyer looks. */
async function buy(succeeds = false) {
  const service = openService(db.database)
  if (!succeeds) {
    const failed = { status: 'failed', rawStatus: 'failed', output: null, error: 'broken' } as const
    service.provider.state.plays = (prediction) => ({ ...prediction, ...failed })
  }
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  const { body } = await buyer.answer(requests.text, header)
  const id = body.id ?? ''
  const views = async () => [
    (await buyer.status(id)).body,
    (await service.time.run((await buyer.call('/api/inferences')).json())).items[0],
    (await buyer.answer(requests.text, header)).body,
  ]
  const csv = async () => service.time.run((await buyer.call('/api/inferences?format=csv')).text())
  return { service, id, views, csv, now: service.clock.now() }
}

const refundsIn = (views: Record<string, unknown>[]): unknown[] => views.map(({ refund }) => refund)

describe('refund', () => {
  it('behavior: the buyer sees what is owed, then the refund with its transaction', async () => {
    const { service, id, views, csv, now } = await buy()
    const owed = { status: 'owed', refundedAt: null, transaction: null }
    expect(refundsIn(await views())).toEqual([owed, owed, owed])
    const paidBy = (await views())[0]?.metrics.paymentTxHash
    const back = `0x${'Fe'.repeat(32)}`
    await resolveOwed(db.database, id, `for Ann, who paid in ${paidBy}: sent back in ${back}`, now)
    const refunded = {
      status: 'refunded',
      refundedAt: service.clock.now().toISOString(),
      transaction: back.toLowerCase(),
    }
    const after = await views()
    expect(refundsIn(after)).toEqual([refunded, refunded, refunded])
    expect(JSON.stringify(after)).not.toContain('Ann')
    const [, line] = (await csv()).split('\r\n')
    expect(line).toMatch(new RegExp(`,refunded,${back.toLowerCase()}$`))
  })

  it('behavior: a refund noted without a transaction is shown without one', async () => {
    const { id, views, now } = await buy()
    await resolveOwed(db.database, id, 'cash', now)
    expect(refundsIn(await views())).toEqual(
      Array(3).fill({ status: 'refunded', refundedAt: now.toISOString(), transaction: null }),
    )
  })

  it('behavior: what was delivered, or runs again, shows no refund', async () => {
    expect(refundsIn(await (await buy(true)).views())).toEqual([undefined, undefined, undefined])
    await db.reset()
    const { id, views, now } = await buy()
    await rerunFailed(db.database, id, now)
    expect(refundsIn(await views()).slice(0, 2)).toEqual([undefined, undefined])
  })
})
