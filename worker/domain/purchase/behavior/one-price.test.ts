import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../../test/helpers/sign-payment.ts'

const db = useDatabase()

const RECEIPT_KEY = `0x${'77'.repeat(32)}` as const
const challenge = z.object({ accepts: z.array(z.object({ amount: z.string() })).min(1) })
const receipt = z.object({ message: z.looseObject({ amount: z.string() }) })

/** Rates and times whose product a float gets wrong; the right side by hand, rounded up to the atomic unit. */
it.each([
  ['0.000225', 3_300, '743', '0.000743'],
  ['0.0014', 1_100, '1540', '0.001540'],
  ['0.000725', 2_900, '2103', '0.002103'],
  ['0.000575', 8_700, '5003', '0.005003'],
  ['0.00115', 700, '805', '0.000805'],
  ['0.0000001', 1_000, '1', '0.000001'],
  ['0.0000001', 10_000, '1', '0.000001'],
])('behavior: %s USDC/s for %i ms is the same amount in every answer: %s', async (ratePerSec, meanMs, atomic, usdc) => {
  const { model } = requests.text
  await db.database.run(
    sql`insert into model_sum_parts (model, part, succeeded, timed, predict_time_ms) values (${model}, 0, 1, 1, ${meanMs}::bigint)`,
  )
  const service = openService(db.database, { config: makeTestConfig({ ratePerSec, receiptSigningKey: RECEIPT_KEY }) })
  const buyer = await service.openBuyer()
  const read = async (path: string, init?: Parameters<typeof buyer.call>[1]): Promise<string> =>
    service.time.run((await buyer.call(path, init)).text())

  const body = JSON.stringify(requests.text)
  const estimate: unknown = JSON.parse(await read('/api/inference/estimate', { method: 'POST', body }))
  expect(estimate).toMatchObject({ estimatedCostUsdc: usdc })
  const unpaid = await buyer.post(requests.text)
  expect(challenge.parse(decodeHeader(unpaid.headers.get('Payment-Required'))).accepts[0]?.amount).toBe(atomic)
  const answer = await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
  expect(answer.body['metrics']).toMatchObject({ estimatedCostUsdc: usdc, paymentAmount: atomic })
  expect(service.facilitator.state.settled[0]).toMatchObject({
    requirements: { amount: atomic },
    payload: { payload: { authorization: { value: atomic } } },
  })
  const history: unknown = JSON.parse(await read('/api/inferences'))
  expect(history).toMatchObject({ items: [{ metrics: { estimatedCostUsdc: usdc, paymentAmount: atomic } }] })
  expect(JSON.parse(await read('/api/account'))).toMatchObject({ spent: { usdc } })
  expect(JSON.parse(await read('/api/stats'))).toMatchObject({ usdcSettled: usdc })
  const signed = receipt.parse(JSON.parse(await read(`/api/inference/${answer.body.id}/receipt`)))
  expect(signed.message.amount).toBe(atomic)
})
