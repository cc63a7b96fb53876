import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { once } from '../once.ts'
import { at, json, texts } from '../statement.ts'
import { isPayment, type Payment, type PaymentRef, paymentColumns, paymentOf, readPayment } from './payment-row.ts'

/** A driver's hold on a row: moves happen only while the token is still the row's. */
export interface Lease {
  payment: PaymentRef
  token: string
}

export interface Transition {
  lease: Lease
  from: readonly Payment['state'][]
  to: Payment['state']
  now: Date
  /** A time keeps the lease until then; null returns it. */
  leaseUntil: Date | null
  /** When a driver must check the row again at the latest; null for never. */
  nextAttemptAt: Date | null
  reason?: string | null
  /** Failed tries so far. */
  attempts?: number
  chainCheckedAt?: Date
  /** The transaction the facilitator named. */
  sentTxHash?: string
  /** Removes what the buyer wrote; the request's hash stays. */
  dropInput?: boolean
}

/** True if the row is still leased to this driver, and in a state that it may leave. */
const mayMove = ({ lease: { payment, token }, from }: Transition): SQL =>
  sql`${isPayment('p', payment)} and p.lease_token = ${token} and p.state = any(${texts(from, 'payment_state')})`

/** One conditional change of state. Null, and nothing changed, when the row was in no state of `from` or another driver has the lease. */
export async function transitionPayment(database: Database, transition: Transition): Promise<Payment | null> {
  const rows =
    await database.run(sql`update payments p set state = ${transition.to}::payment_state, ${common(transition)}
    where ${mayMove(transition)}
    returning ${paymentColumns('p')}`)
  return rows[0] === undefined ? null : readPayment(rows[0])
}

function common(transition: Transition): SQL {
  const parts = [
    sql`updated_at = ${at(transition.now)}`,
    transition.leaseUntil === null
      ? sql`lease_until = null, lease_token = null`
      : sql`lease_until = ${at(transition.leaseUntil)}, lease_token = ${transition.lease.token}`,
    transition.nextAttemptAt === null
      ? sql`next_attempt_at = null`
      : sql`next_attempt_at = ${at(transition.nextAttemptAt)}`,
  ]
  if (transition.reason !== undefined) parts.push(sql`reason = ${transition.reason}`)
  if (transition.attempts !== undefined) parts.push(sql`attempts = ${transition.attempts}::int`)
  if (transition.chainCheckedAt !== undefined) parts.push(sql`chain_checked_at = ${at(transition.chainCheckedAt)}`)
  if (transition.sentTxHash !== undefined) parts.push(sql`sent_tx_hash = ${transition.sentTxHash}`)
  if (transition.dropInput === true) parts.push(sql`request = jsonb_set(request, '{input}', '{}')`)
  return sql.join(parts, sql`, `)
}

/** A mark that a function of the database writes; it renews the lease. */
export interface Mark {
  lease: Lease
  from: readonly Payment['state'][]
  now: Date
  leaseUntil: Date
}

const callOf = ({ lease: { payment, token }, ...mark }: Mark, more: object): SQL =>
  json({ id: payment.id, createdAt: payment.createdAt, leaseToken: token, ...mark, ...more })

const answerSchema = once(() => z.object({ limited: z.boolean().optional(), payment: z.unknown().optional() }))

/**
 * The mark before `/settle` is sent again. It counts in the row and, under the payer's lock, in the wallet's paid rate.
 * `limited` when the rate is used up; then nothing changed. `payment` is null also when the lease was lost.
 */
export async function markResend(
  database: Database,
  mark: Mark,
  rate: { payer: string; limitPerMinute: number | null },
): Promise<{ payment: Payment | null; limited: boolean }> {
  const [row] = await database.run(sql`select resend_payment_1(${callOf(mark, rate)}) as answer`)
  const { payment, limited = false } = answerSchema().parse(row?.['answer'])
  return { payment: paymentOf(payment), limited }
}

/**
 * The settled mark: fixes the stored hash and adds the amount to the running sum. Null as for `transitionPayment`.
 * Throws the database's unique violation (code 23505) when another payment has this hash.
 */
export async function markSettled(database: Database, mark: Mark & { txHash: string }): Promise<Payment | null> {
  const [row] = await database.run(sql`select mark_settled_1(${callOf(mark, { txHash: mark.txHash })}) as answer`)
  return paymentOf(answerSchema().parse(row?.['answer']).payment)
}

/**
 * Ties a prediction to a settled payment, once: the first id stays. Returns the id that holds, or null when the payment is
 * not settled any more.
 */
export async function tiePrediction(
  database: Database,
  payment: PaymentRef,
  predictionId: string,
  now: Date,
): Promise<string | null> {
  const rows =
    await database.run(sql`update payments p set provider_prediction_id = coalesce(provider_prediction_id, ${predictionId}),
      updated_at = ${at(now)} where ${isPayment('p', payment)} and p.state = 'settled' returning provider_prediction_id`)
  const id = rows[0]?.['provider_prediction_id']
  return typeof id === 'string' ? id : null
}

/** Removes a row that was never paid, after the one look at the chain; anything else stays. */
export async function purgePayment(database: Database, lease: Lease): Promise<void> {
  await database.run(sql`delete from payments p where ${isPayment('p', lease.payment)} and p.lease_token = ${lease.token}
    and p.state in ('claimed', 'rejected') and p.chain_checked_at is not null`)
}
