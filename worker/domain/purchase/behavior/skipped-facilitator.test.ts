import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../../db/client.ts'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import type { PaymentNetwork } from '../../../config/config.ts'
import { makeSkipFacilitator } from '../../../upstreams/facilitator/skip-facilitator.ts'

const db = useDatabase()

const DEV_CHAIN: PaymentNetwork = {
  chainId: 31337,
  network: 'eip155:31337',
  name: 'Dev chain',
  rpcUrl: 'http://127.0.0.1:8545',
  usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2' },
  isTest: true,
}
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The dev chain as the specification has it: the facilitator is skipped, a random UUID stands for the hash. */
async function open() {
  const config = makeTestConfig({ environment: 'development', networks: [DEV_CHAIN], facilitator: null })
  const failing = { at: Infinity, count: 0 }
  const database = {
    batch: (...args: Parameters<typeof db.database.batch>) => db.database.batch(...args),
    run: (...args: Parameters<typeof db.database.run>) => {
      failing.count += 1
      if (failing.count === failing.at) return Promise.reject(new DatabaseUnavailable('it is away'))
      return db.database.run(...args)
    },
  }
  const service = openService(database, { config })
  const { chain, now, newId } = service.deps
  let skipped = 0
  const facilitator = makeSkipFacilitator({ config, chain, now, newId })
  service.deps.facilitator = {
    ...facilitator,
    settle: (...args) => {
      skipped += 1
      return facilitator.settle(...args)
    },
  }
  const buyer = await service.openBuyer({ chainId: 31337 })
  const validBefore = String(Math.floor(now().getTime() / 1000) + 300)
  const header = await buyer.signedPayment(requests.text, { validBefore })
  const failNext = (call: number): void => void Object.assign(failing, { at: call, count: 0 })
  return { service, buyer, header, failNext, settles: () => skipped }
}

it('default: no receipt is looked for, and a UUID is the hash', async () => {
  const { service, buyer, header } = await open()
  const answer = await buyer.answer(requests.text, header)
  expect(verdictOf(answer)).toEqual({ status: 200 })
  expect(answer.body['metrics']).toMatchObject({
    paymentTxHash: expect.stringMatching(uuid),
    paymentNetwork: 'eip155:31337',
  })
  expect((await buyer.answer(requests.text, header)).body).toEqual(answer.body)
  expect(service.calls().create).toBe(1)
})

it('error: payment_rejected for a nonce that is spent on the chain', async () => {
  const { service, buyer, header } = await open()
  service.chain.state.script.authorizationStatus = async () => ({ spent: true, blockTime: service.clock.now() })
  const answer = await buyer.answer(requests.text, header)
  expect(verdictOf(answer)).toMatchObject({ status: 402, code: 'payment_rejected', paymentState: 'unused' })
  expect(service.calls().create).toBe(0)
})

it('behavior: a settled mark that is lost is written by the same header again, and run once', async () => {
  const { service, buyer, header, failNext, settles } = await open()
  failNext(2)
  expect(verdictOf(await buyer.answer(requests.text, header))).toMatchObject({ code: 'settlement_unknown' })
  service.clock.advance(40_000)
  expect(verdictOf(await buyer.answer(requests.text, header))).toEqual({ status: 200 })
  expect(settles()).toBe(2)
  expect(service.calls().create).toBe(1)
  expect(await db.database.run(sql`select count(*)::int as records from inferences`)).toEqual([{ records: 1 }])
})

it('behavior: one that never comes again expires by the worker’s clock, the only one there is', async () => {
  const { service, buyer, header, failNext } = await open()
  failNext(2)
  const { body } = await buyer.answer(requests.text, header)
  service.clock.advance(310_000)
  await service.tick()
  expect((await buyer.status(String(body.statusUrl).split('/').at(-1) ?? '')).body).toMatchObject({
    status: 'failed',
    paymentState: 'unused',
  })
  expect(service.calls().create).toBe(0)
})
