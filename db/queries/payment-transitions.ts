import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at, texts } from '../statement.ts'
import { isPayment, type Payment, type PaymentRef, paymentColumns, readPayment } from './payment-row.ts'
import { sumPart } from './sums.ts'

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

/**
 * The mark before `/settle` is sent again. It counts in the row and, under the payer's lock, in the wallet's paid rate.
 * `limited` when the rate is used up; then nothing changed. `payment` is null also when the lease was lost.
 */
export async function markResend(
  database: Database,
  transition: Transition,
  { payer, limitPerMinute }: { payer: string; limitPerMinute: number | null },
): Promise<{ payment: Payment | null; limited: boolean }> {
  const limited = limitPerMinute === null ? sql`false` : sql`rate.used >= ${limitPerMinute}::int`
  const [, rows] = await database.batch([
    lockPayer(payer),
    sql`with rate as (${recentlyPaid(payer, transition.now)}), moved as (
        update payments p set state = ${transition.to}::payment_state, settle_resends = p.settle_resends + 1, ${common(transition)}
        from rate where ${mayMove(transition)} and not ${limited}
        returning p.*
      ), counted as (${countPaid(payer, transition.now, sql`from moved`)})
      select ${limited} as limited, ${paymentColumns('moved')} from rate left join moved on true`,
  ])
  const row = rows?.[0]
  return { payment: row === undefined ? null : readPayment(row), limited: row?.['limited'] === true }
}

/**
 * The settled mark: fixes the stored hash and adds the amount to the running sum, in one statement. Null as for `transitionPayment`.
 * Throws the database's unique violation (code 23505) when another payment has this hash.
 */
export async function markSettled(
  database: Database,
  transition: Transition & { txHash: string },
): Promise<Payment | null> {
  const rows = await database.run(sql`with moved as (
      update payments p set state = ${transition.to}::payment_state, tx_hash = ${transition.txHash}, settled_at = ${at(transition.now)}, ${common(transition)}
      where ${mayMove(transition)}
      returning p.*
    ), summed as (
      insert into asset_sum_parts (chain_id, asset, part, amount)
      select chain_id, asset, ${sumPart(transition.lease.payment.id)}, amount from moved
      on conflict (chain_id, asset, part) do update set amount = asset_sum_parts.amount + excluded.amount
    )
    select ${paymentColumns('moved')} from moved`)
  return rows[0] === undefined ? null : readPayment(rows[0])
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

/** The window of the paid limit. */
export const PAID_WINDOW_MS = 60_000

const since = (now: Date): SQL => at(new Date(now.getTime() - PAID_WINDOW_MS))

/** Lets one transaction at a time count a wallet's payments. It must be a statement by itself, before the one that counts. */
export const lockPayer = (payer: string): SQL => sql`select pg_advisory_xact_lock(hashtextextended(${payer}, 0))`

/** Selects `used`, what the wallet paid or sent again within the window, and `oldest`, the time of the first of these. */
export const recentlyPaid = (payer: string, now: Date): SQL =>
  sql`select count(*)::int as used, min(t) as oldest from paid_rates r, unnest(r.recent) t
    where r.payer = ${payer} and t > ${since(now)}`

/** Counts one payment for each row of `source`, such as `from verdict where …`. */
export const countPaid = (payer: string, now: Date, source: SQL): SQL =>
  sql`insert into paid_rates (payer, recent) select ${payer}, array[${at(now)}] ${source}
    on conflict (payer) do update set recent =
      array_append(array(select t from unnest(paid_rates.recent) t where t > ${since(now)}), ${at(now)})`
