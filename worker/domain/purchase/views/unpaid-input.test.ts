import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'

const db = useDatabase()

const PROMPT = requests.text.input.prompt

async function rows() {
  const found = await db.database.run(
    sql`select state::text as state, request->'input' as input, request_hash, tx_hash from payments order by created_at`,
  )
  return found.map(({ state, input, request_hash, tx_hash }) => ({ state, input, request_hash, tx_hash }))
}

/** A payment that `/verify` refused. */
async function refused() {
  const service = openService(db.database)
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  service.facilitator.state.verifies = async () => ({ kind: 'invalid', reason: 'insufficient_funds' })
  expect((await buyer.answer(requests.text, header)).status).toBe(402)
  service.facilitator.state.verifies = async () => ({ kind: 'valid' })
  return { service, buyer, header }
}

/** Someone else makes the transfer anyway. */
function mine(service: Service): void {
  const { script } = service.chain.state
  const blockTime = service.clock.now()
  script.authorizationStatus = async () => ({ spent: true, blockTime: service.clock.now() })
  const transaction = `0x${'cd'.repeat(32)}` as const
  script.authorizationOutcome = async () => ({
    kind: 'transferred',
    transaction,
    logIndex: 1,
    blockTime,
    confirmations: 1,
  })
}

it('behavior: the input of a payment that was refused is dropped at once, its hash stays', async () => {
  await refused()
  expect(await rows()).toEqual([
    { state: 'rejected', input: {}, request_hash: expect.stringMatching(/^[0-9a-f]{64}$/), tx_hash: null },
  ])
  const whole = await db.database.run(sql`select p::text as text from payments p`)
  expect(JSON.stringify(whole)).not.toContain(PROMPT)
})

it('behavior: the same payment and request again brings the input back, and is run with it', async () => {
  const { service, buyer, header } = await refused()
  expect((await buyer.answer(requests.text, header)).status).toBe(200)
  expect(service.provider.state.created).toMatchObject([{ input: { prompt: PROMPT } }])
  expect(await rows()).toMatchObject([{ state: 'done', input: { prompt: PROMPT } }])
})

it('behavior: paid on chain anyway: it waits for the same payment again, then runs once', async () => {
  const { service, buyer, header } = await refused()
  mine(service)
  service.clock.advance(70_000)
  await service.tick()
  expect(await rows()).toMatchObject([{ state: 'settled', input: {}, tx_hash: expect.stringContaining('0xcd') }])
  expect(service.calls()).toMatchObject({ settle: 0, create: 0 })
  expect((await buyer.answer(requests.text, header)).status).toBe(202)
  service.clock.advance(61_000)
  await service.tick()
  expect((await buyer.answer(requests.text, header)).status).toBe(200)
  expect(service.calls()).toMatchObject({ settle: 0, create: 1 })
  expect(service.provider.state.created).toMatchObject([{ input: { prompt: PROMPT } }])
  expect(await db.database.run(sql`select input from inferences`)).toMatchObject([{ input: { prompt: PROMPT } }])
})

it('error: paid on chain, never sent again: recorded with its hash, owed, never run', async () => {
  const { service, buyer, header } = await refused()
  mine(service)
  for (let hours = 0; hours < 8; hours += 1) {
    service.clock.advance(3_600_000)
    for (let count = 0; count < 3; count += 1) await service.tick()
  }
  expect(await rows()).toMatchObject([{ state: 'owed', tx_hash: expect.stringContaining('0xcd') }])
  expect(service.calls()).toMatchObject({ settle: 0, create: 0 })
  expect(verdictOf(await buyer.answer(requests.text, header))).toMatchObject({ status: 502, code: 'inference_failed' })
})

it('behavior: a payment whose settlement was tried keeps its input', async () => {
  const service = openService(db.database)
  const buyer = await service.openBuyer()
  service.facilitator.state.settles = async () => ({ kind: 'refused', reason: 'insufficient_funds' })
  await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
  expect(await rows()).toMatchObject([{ state: 'rejected', input: { prompt: PROMPT } }])
})
