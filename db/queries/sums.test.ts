import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { afterSeconds, claimRequest, NOW, newPayment, nonceAt } from '../../test/helpers/claims.ts'
import { useDatabase } from '../../test/helpers/in-process-database.ts'
import { claimPayment } from './claim-payment.ts'
import { readModels } from './models.ts'
import { rerunFailed } from './operator.ts'
import { markSettled } from './payment-transitions.ts'
import { type Outcome, recordOutcome } from './record-inference.ts'
import { readStatSums } from './stats.ts'

const db = useDatabase()
const MODEL = 'meta/meta-llama-3-8b-instruct'
const SUCCEEDED: Outcome = {
  status: 'succeeded',
  outputData: { text: 'word' },
  outputDigests: null,
  predictTimeMs: 2_000,
  actualCostUsdc: '0.002000',
}
const FAILED: Outcome = { status: 'failed', error: { code: 'run_failed', detail: 'It failed.' } }

/** A purchase from its claim to its end; `digit` is the last one of its payment's id. */
async function purchase(count: number, digit: number, outcome: Outcome): Promise<string> {
  const id = randomUUID().slice(0, -1) + digit.toString(16)
  const leaseToken = randomUUID()
  const fresh = { ...newPayment(), id }
  await claimPayment(db.database, claimRequest({ nonce: nonceAt(count), leaseToken, fresh }))
  const payment = await markSettled(db.database, {
    lease: { payment: { id, createdAt: NOW }, token: leaseToken },
    from: ['settling'],
    now: NOW,
    leaseUntil: afterSeconds(30),
    txHash: `hash-${count}`,
  })
  if (payment === null) throw new Error('not settled')
  await recordOutcome(db.database, { payment, outputType: 'text', outcome, now: NOW })
  return id
}

it('behavior: purchases at once add to 16 rows of each sum, which are added up when read', async () => {
  for (let count = 0; count < 20; count++) await purchase(count, count % 16, SUCCEEDED)
  const [rows] = await db.database.run(sql`select (select count(*)::int from day_sum_parts) as days,
    (select count(*)::int from model_sum_parts) as models, (select count(*)::int from asset_sum_parts) as assets`)
  expect(rows).toEqual({ days: 16, models: 16, assets: 16 })
  expect(await readStatSums(db.database)).toMatchObject({
    models: [{ model: MODEL, succeeded: 20n, failed: 0n, p50Ms: 2_000 }],
    days: [{ day: '2026-11-27', runs: 20n }],
    assets: [{ chainId: 84532, amountAtomic: 60_000n }],
  })
})

it('behavior: parts add up, exactly and also when a run that failed is tried again', async () => {
  await db.database.run(sql`with m as (insert into model_sum_parts values (${MODEL}, 3, 5, 2, 4, 8000)),
    d as (insert into day_sum_parts values ('2026-11-27', 3, 7), ('2026-11-26', 3, 1))
    insert into asset_sum_parts select 84532, ${claimRequest().asset}, 3, 9007199254740993`)
  const id = await purchase(1, 15, FAILED)
  expect((await rerunFailed(db.database, id, afterSeconds(60)))?.state).toBe('settled')
  expect(await readStatSums(db.database)).toMatchObject({
    models: [{ model: MODEL, succeeded: 5n, failed: 2n }],
    days: [
      { day: '2026-11-27', runs: 7n },
      { day: '2026-11-26', runs: 1n },
    ],
    assets: [{ amountAtomic: 9007199254743993n }],
  })
  expect((await readModels(db.database)).get(MODEL)).toMatchObject({ sumMs: 8000n, count: 4n })
})
