import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afterSeconds, claimRequest, NOW, nonceAt, onEachDatabase } from '../../test/helpers/claims.ts'
import { type InProcessDatabase, openInProcessDatabase } from '../../test/helpers/in-process-database.ts'
import { json } from '../statement.ts'
import type { ClaimProof } from './challenge-nonces.ts'
import { type ClaimRequest, claimPayment } from './claim-payment.ts'
import { markSettled } from './payment-transitions.ts'
import { recordOutcome } from './record-inference.ts'

const proof = (nonce: string): ClaimProof => ({
  nonce,
  requestKey: 'request',
  plainAccountKeys: [],
  mayUseFresh: 'always',
})

/** Changes the row's lease while a claim uses its proof's nonce: after it read the row, and before it writes it. */
const CHANGED_MEANWHILE = [
  sql`create sequence claims`,
  sql`create table which_claims (first bigint, last bigint)`,
  sql`create function change_lease() returns trigger language plpgsql as $$ begin
    if exists (select from which_claims, nextval('claims') n where n between first and last) then
      update payments set lease_token = 'another', lease_until = '2026-11-27 13:00:00+00';
    end if;
    return new;
  end $$`,
  sql`create trigger change_lease before insert on used_nonces for each row execute function change_lease()`,
]

describe('a row that another driver changes between look and write', () => {
  let db: InProcessDatabase
  beforeAll(async () => {
    db = await openInProcessDatabase()
    for (const statement of CHANGED_MEANWHILE) await db.database.run(statement)
    await claimPayment(db.database, claimRequest())
  })
  afterAll(() => db?.close())

  const claimAgain = async (nonce: string, changes: number) => {
    await db.database.run(sql`delete from which_claims`)
    await db.database.run(
      sql`insert into which_claims select nextval('claims') + 1, currval('claims') + ${changes}::int`,
    )
    return claimPayment(db.database, claimRequest({ now: afterSeconds(12), proof: proof(nonce) }))
  }

  it('behavior: writes nothing and is asked again once, and then answers from what is there', async () => {
    await expect(claimAgain('a', 2)).rejects.toMatchObject({ name: 'DatabaseUnavailable', rolledBack: true })
    expect(await db.database.run(sql`select nonce from used_nonces`)).toEqual([])
    expect(await claimAgain('b', 1)).toMatchObject({ kind: 'taken', payment: { state: 'settling' } })
    expect(await db.database.run(sql`select nonce from used_nonces`)).toEqual([{ nonce: 'b' }])
  })
})

await onEachDatabase('what the claim answers', (db) => {
  const claim = (change: Partial<ClaimRequest>) => claimPayment(db.database, claimRequest(change))

  it('behavior: the record of another payment with the identifier is withheld', async () => {
    const leaseToken = randomUUID()
    const { payment: claimed } = await claim({ identifier: 'mine', leaseToken })
    if (claimed === null) throw new Error('not claimed')
    const mark = { lease: { payment: claimed, token: leaseToken }, from: ['settling'], now: NOW } as const
    const payment = await markSettled(db.database, { ...mark, leaseUntil: afterSeconds(30), txHash: 'hash' })
    if (payment === null) throw new Error('not settled')
    const outcome = {
      status: 'succeeded',
      outputData: { text: 'a' },
      outputDigests: null,
      predictTimeMs: 1,
      actualCostUsdc: null,
    } as const
    await recordOutcome(db.database, { payment, outputType: 'text', outcome, now: NOW })
    expect(await claim({ identifier: 'mine' })).toMatchObject({ kind: 'ended', record: { output: { text: 'a' } } })
    const other = await claim({ identifier: 'mine', nonce: nonceAt(2) })
    expect(other).toMatchObject({ kind: 'identifier_used', payment: { id: claimed.id }, record: null })
  })

  it('behavior: an unknown member is ignored, and a missing one is null', async () => {
    const { identifier: _none, limitPerMinute: _null, proof: _cookie, fresh, ...call } = claimRequest()
    const amountAtomic = fresh?.amountAtomic.toString()
    const sent = { ...call, fresh: { ...fresh, amountAtomic, ofLater: 1 }, ofLater: { a: [null] } }
    const [row] = await db.database.run(sql`select claim_payment_1(${json(sent)}) as answer`)
    expect(row?.['answer']).toMatchObject({
      kind: 'new',
      payment: { payment_identifier: null, sign_in_nonce: null, amount: '3000', state: 'settling' },
    })
  })
})
