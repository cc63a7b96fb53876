import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { afterSeconds, claimRequest, NOW, nonceAt, onEachDatabase } from '../../test/helpers/claims.ts'
import { toPostgres } from '../statement.ts'
import { type ClaimRequest, claimPayment } from './claim-payment.ts'
import { makeDue } from './operator.ts'
import { leaseDue, leaseOne } from './payment-leases.ts'
import { markSettled, purgePayment, tiePrediction, transitionPayment } from './payment-transitions.ts'
import { recordOutcome, recordPending } from './record-inference.ts'

await onEachDatabase('the journal’s statements', (db) => {
  const claim = (overrides: Partial<ClaimRequest> = {}) =>
    claimPayment(db.database, claimRequest({ limitPerMinute: 10, ...overrides }))

  /** A claimed payment, moved to `settled` under its lease. */
  async function settled(hash = 'hash-1', overrides: Partial<ClaimRequest> = {}) {
    const leaseToken = randomUUID()
    const { payment } = await claim({ leaseToken, ...overrides })
    if (payment === null) throw new Error('not claimed')
    const moved = await markSettled(db.database, {
      lease: { payment, token: leaseToken },
      from: ['settling'],
      now: NOW,
      leaseUntil: afterSeconds(30),
      txHash: hash,
    })
    if (moved === null) throw new Error('not settled')
    return { payment: moved, lease: { payment, token: leaseToken } }
  }

  it('default: new, then busy, then taken when the lease is over', async () => {
    expect((await claim()).kind).toBe('new')
    expect((await claim()).kind).toBe('busy')
    expect((await claim({ now: afterSeconds(12) })).kind).toBe('taken')
  })

  it('behavior: a claim takes one trip, whether its row is new, known or refused', async () => {
    const trips: string[] = []
    const run: typeof db.database.run = (statement, options) => {
      trips.push(toPostgres(statement).sql)
      return db.database.run(statement, options)
    }
    const traced = async (change = {}) => (await claimPayment({ ...db.database, run }, claimRequest(change))).kind
    expect([await traced(), await traced(), await traced({ nonce: nonceAt(2), fresh: null })]).toEqual([
      'new',
      'busy',
      'refused',
    ])
    expect(trips).toEqual(new Array(3).fill('select claim_payment_1($1::jsonb) as answer'))
  })

  it('error: a key whose row is missing is an error, not a new payment', async () => {
    const { chainId, asset, payer, nonce } = claimRequest()
    await db.database.run(sql`insert into payment_keys (payment_id, chain_id, asset, payer, nonce, inference_id, created_at)
      values (${randomUUID()}::uuid, ${chainId}::int, ${asset}, ${payer}, ${nonce}, ${randomUUID()}::uuid, now())`)
    await expect(claim()).rejects.toThrow('a key and no row')
    expect(await claim({ fresh: null }).catch(String)).toMatch('a key and no row')
    await db.database.run(sql`delete from payment_keys`)
  })

  it('behavior: twenty at once: one is new, all others see its row', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim()))
    expect(claims.map(({ kind }) => kind).sort()).toEqual([...new Array(19).fill('busy'), 'new'])
    expect(new Set(claims.map(({ payment }) => payment?.inferenceId)).size).toBe(1)
  })

  it('behavior: ten of thirty different ones at once pass the limit of ten', async () => {
    const claims = await Promise.all(Array.from({ length: 30 }, (_, at) => claim({ nonce: nonceAt(at + 1) })))
    expect(claims.filter(({ kind }) => kind === 'new')).toHaveLength(10)
    expect(claims.filter(({ kind }) => kind === 'limited')).toHaveLength(20)
    const limited = claims.find(({ kind }) => kind === 'limited')
    expect(limited?.windowEnds).toEqual(afterSeconds(60))
    expect((await claim({ nonce: nonceAt(99), now: afterSeconds(60.001) })).kind).toBe('new')
  })

  it('behavior: a refused one finds what is there and writes nothing', async () => {
    expect(await claim({ fresh: null })).toMatchObject({ kind: 'refused', payment: null })
    expect(await db.database.run(sql`select 1 from users`)).toEqual([])
    await claim()
    expect((await claim({ fresh: null })).kind).toBe('busy')
  })

  it('error: other_request for another body, whatever the state', async () => {
    await claim()
    expect((await claim({ requestHash: 'other' })).kind).toBe('other_request')
  })

  it('behavior: a run that takes its time is taken over, one that was put off waits', async () => {
    const { payment, lease } = await settled()
    const comeBack = { lease, from: ['settled'], to: 'settled', now: NOW, leaseUntil: null } as const
    await transitionPayment(db.database, { ...comeBack, nextAttemptAt: afterSeconds(60), reason: null })
    expect((await claim({ leaseToken: lease.token })).kind).toBe('taken')
    await transitionPayment(db.database, {
      ...comeBack,
      nextAttemptAt: afterSeconds(60),
      reason: 'provider_unavailable',
    })
    expect((await claim()).kind).toBe('waiting')
    expect((await claim({ now: afterSeconds(60) })).kind).toBe('taken')
    expect(payment.state).toBe('settled')
  })

  it('behavior: a lost lease moves, settles and purges nothing', async () => {
    const { payment } = await claim()
    if (payment === null) throw new Error('not claimed')
    const lease = { payment, token: 'another driver’s' }
    const move = { lease, from: ['settling'], to: 'rejected', now: NOW, leaseUntil: null, nextAttemptAt: null } as const
    expect(await transitionPayment(db.database, move)).toBeNull()
    expect(await markSettled(db.database, { ...move, leaseUntil: afterSeconds(30), txHash: 'hash' })).toBeNull()
    await purgePayment(db.database, lease)
    expect((await claim({ now: afterSeconds(12) })).payment).toMatchObject({ id: payment?.id, state: 'settling' })
  })

  it('behavior: a move from a state that is not allowed changes nothing', async () => {
    const { payment, lease } = await settled()
    const move = { lease, from: ['settling'], to: 'rejected', now: NOW, leaseUntil: null, nextAttemptAt: null } as const
    expect(await transitionPayment(db.database, move)).toBeNull()
    expect((await claim({ now: afterSeconds(40) })).payment).toMatchObject({ id: payment.id, state: 'settled' })
  })

  it('behavior: marking a second payment with the same hash fails and adds nothing', async () => {
    await settled('hash-1')
    await expect(settled('hash-1', { nonce: nonceAt(2) })).rejects.toMatchObject({ code: '23505' })
    await settled('hash-1#4', { nonce: nonceAt(3) })
    expect(await db.database.run(sql`select sum(amount)::text as amount from asset_sum_parts`)).toEqual([
      { amount: '6000' },
    ])
  })

  it('behavior: two jobs at once share the due rows between them', async () => {
    for (let at = 1; at <= 10; at += 1) await claim({ nonce: nonceAt(at) })
    const due = { now: afterSeconds(20), until: afterSeconds(80), limit: 20 }
    const [a, b] = await Promise.all([
      leaseDue(db.database, { token: 'a', ...due }),
      leaseDue(db.database, { token: 'b', ...due }),
    ])
    expect(a.length + b.length).toBe(10)
    expect(new Set([...a, ...b].map(({ id }) => id)).size).toBe(10)
  })

  it('behavior: a lease never brings the next look forward', async () => {
    const { payment, lease } = await settled()
    const putOff = { lease, from: ['settled'], to: 'settled', now: NOW, leaseUntil: null } as const
    await transitionPayment(db.database, {
      ...putOff,
      nextAttemptAt: afterSeconds(600),
      reason: 'provider_unavailable',
    })
    const by = { inferenceId: payment.inferenceId }
    const options = { token: 'hint', now: afterSeconds(1), until: afterSeconds(61), untouchedSince: afterSeconds(1) }
    expect(await leaseOne(db.database, by, options)).toBeNull()
    const leased = await leaseOne(db.database, by, { ...options, evenIfNotDue: true })
    expect(leased).toMatchObject({ leaseUntil: afterSeconds(61), nextAttemptAt: afterSeconds(600) })
  })

  it('behavior: an operator’s retry waits until the provider’s list must show a run', async () => {
    const { payment, lease } = await settled()
    const putOff = { lease, from: ['settled'], to: 'settled', now: NOW, leaseUntil: null } as const
    await transitionPayment(db.database, {
      ...putOff,
      nextAttemptAt: afterSeconds(300),
      reason: 'provider_unavailable',
    })
    expect(await makeDue(db.database, payment.id, afterSeconds(5))).toMatchObject({ nextAttemptAt: afterSeconds(60) })
    await tiePrediction(db.database, payment, 'a', afterSeconds(6))
    expect(await makeDue(db.database, payment.id, afterSeconds(7))).toMatchObject({ nextAttemptAt: afterSeconds(7) })
  })

  it('behavior: the first prediction that is tied stays', async () => {
    const { payment } = await settled()
    const ties = await Promise.all(['a', 'b'].map((id) => tiePrediction(db.database, payment, id, NOW)))
    expect(new Set(ties).size).toBe(1)
  })

  it('behavior: two records at once: one ends the purchase, sums count it once', async () => {
    const { payment } = await settled()
    const outcome = {
      status: 'succeeded',
      outputData: { text: 'a' },
      outputDigests: null,
      predictTimeMs: 1_000,
      actualCostUsdc: '0.001000',
    } as const
    const record = () => recordOutcome(db.database, { payment, outputType: 'text', outcome, now: NOW })
    await recordPending(db.database, { payment, outputType: 'text', now: NOW })
    expect((await Promise.all([record(), record()])).sort()).toEqual([false, true])
    await recordPending(db.database, { payment, outputType: 'text', now: NOW })
    expect(
      await db.database.run(sql`select (select status from inferences), succeeded::int, predict_time_ms::int,
        (select runs::int from day_sum_parts) from model_sum_parts`),
    ).toEqual([{ status: 'succeeded', succeeded: 1, predict_time_ms: 1000, runs: 1 }])
  })

  it('behavior: a rejected one is reclaimed with its first id and time; refused, it stays', async () => {
    const leaseToken = randomUUID()
    const { payment } = await claim({ leaseToken })
    if (payment === null) throw new Error('not claimed')
    const lease = { payment, token: leaseToken }
    const refusal = { lease, from: ['settling'], to: 'rejected', now: NOW, leaseUntil: null } as const
    await transitionPayment(db.database, { ...refusal, nextAttemptAt: afterSeconds(60), reason: 'insufficient_funds' })
    expect(await claim({ fresh: null })).toMatchObject({ kind: 'rejected', payment: { reason: 'insufficient_funds' } })
    const again = await claim({ now: afterSeconds(5) })
    expect(again).toMatchObject({
      kind: 'reclaimed',
      payment: { id: payment?.id, inferenceId: payment?.inferenceId, createdAt: NOW, state: 'settling', reason: null },
    })
    expect(await db.database.run(sql`select cardinality(recent) as counted from paid_rates`)).toEqual([{ counted: 2 }])
  })
})
