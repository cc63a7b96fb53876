import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'

const db = useDatabase()

const HOUR_MS = 3_600_000
const SILENT = { kind: 'unknown', reason: 'no answer within 30000 ms' } as const
const nonce = `0x${'5a'.repeat(32)}` as const

test('behavior: a refused nonce that is signed again hours later is found on chain and served', async () => {
  const service = openService(db.database)
  const buyer = await service.openBuyer()
  service.facilitator.state.settles = async () => ({ kind: 'refused', reason: 'insufficient_funds' })
  expect((await buyer.answer(requests.text, await buyer.signedPayment(requests.text, { nonce }))).status).toBe(402)

  service.clock.advance(4 * HOUR_MS)
  service.facilitator.state.settles = async () => SILENT
  const again = await buyer.signedPayment(requests.text, { nonce })
  expect((await buyer.answer(requests.text, again)).status).toBe(503)
  const minedAt = service.clock.now()
  const { script } = service.chain.state
  script.authorizationStatus = async () => ({ spent: true, blockTime: minedAt })
  // The chain shows a log only to a search that reaches it.
  script.authorizationOutcome = async (_query, since, until) =>
    since <= minedAt && minedAt <= until
      ? { kind: 'transferred', transaction: `0x${'cd'.repeat(32)}`, logIndex: 1, blockTime: minedAt, confirmations: 1 }
      : { kind: 'not_found' }
  expect((await buyer.answer(requests.text, again)).status).toBe(200)
})
