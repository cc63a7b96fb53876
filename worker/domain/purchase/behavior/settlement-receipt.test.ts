import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { HASH, hang, served, setChain, unknown, useFacilitator } from '../../../../test/helpers/scripted-facilitator.ts'
import { ChainUnavailable, type FoundTransfer } from '../../../upstreams/chain/chain.ts'

const { db, openWith } = useFacilitator()

describe('the receipt of a settlement', () => {
  const transfer = (service: Service, confirmations: number): FoundTransfer => ({
    transaction: HASH,
    logIndex: 3,
    blockTime: service.clock.now(),
    confirmations,
  })

  it('behavior: it is waited for', async () => {
    const { service, buyer, header, sent } = await openWith({})
    let looks = 0
    service.chain.state.script.transferIn = async () => {
      looks += 1
      return looks < 5 ? null : transfer(service, 1)
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(looks).toBe(5)
    expect(sent()).toEqual({ verify: 1, settle: 1, create: 1 })
  })

  const noRun = { verify: 1, settle: 1, create: 0 }
  it('behavior: one that never comes is unknown 50 s after the call', async () => {
    const { service, buyer, header, sent } = await openWith({})
    service.chain.state.script.transferIn = async () => null
    const arrivedAt = service.clock.now().getTime()
    const answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toEqual(unknown)
    expect(service.clock.now().getTime() - arrivedAt).toBe(50_000)
    expect(answer.headers.has('Payment-Response')).toBe(false)
    expect(sent()).toEqual(noRun)
  })

  it('behavior: an RPC that is down all the while makes it unknown', async () => {
    const { service, buyer, header, sent } = await openWith({})
    service.chain.state.script.transferIn = () => Promise.reject(new ChainUnavailable('down'))
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    expect(sent()).toEqual(noRun)
  })

  it.each([
    [0, 0],
    [1, 1],
    [3, 3],
  ])('behavior: with MIN_CONFIRMATIONS %i it has to be %i deep', async (minConfirmations, depth) => {
    const { service, buyer, header, sent } = await openWith({}, makeTestConfig({ minConfirmations }))
    let deepest = 0
    service.chain.state.script.transferIn = async () => {
      deepest += 1
      return transfer(service, deepest)
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(deepest).toBe(depth)
    expect(sent()).toEqual({ verify: 1, settle: 1, create: 1 })
  })

  it('behavior: a transfer found by its nonce has to be as deep', async () => {
    const { service, buyer, header } = await openWith({ settle: hang }, makeTestConfig({ minConfirmations: 3 }))
    await buyer.answer(requests.text, header)
    setChain(service, 'paid')
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    service.chain.state.script.authorizationOutcome = async () => ({ kind: 'transferred', ...transfer(service, 3) })
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
  })

  it('behavior: two payments of one transaction are two records, shown with the bare hash', async () => {
    const { service, buyer } = await openWith({})
    service.chain.state.script.transferIn = async (query) => ({
      ...transfer(service, 1),
      logIndex: Number(BigInt(query.nonce)),
    })
    const answers = []
    for (const nonce of [7, 9]) {
      const header = await buyer.signedPayment(requests.text, { nonce: `0x${String(nonce).padStart(64, '0')}` })
      answers.push(await buyer.answer(requests.text, header))
    }
    expect(answers.map(verdictOf)).toEqual([served, served])
    for (const { body } of answers) expect(body['metrics']).toMatchObject({ paymentTxHash: HASH })
    const rows = await db.database.run(sql`select payment_tx_hash as hash from inferences order by created_at, 1`)
    expect(rows.map((row) => row['hash'])).toEqual([HASH, `${HASH}#9`])
  })
})
