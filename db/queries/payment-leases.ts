import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at } from '../statement.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'
import { keyedPayments, type Payment, paymentColumns, readPayment } from './payment-row.ts'

const present = (rows: Record<string, unknown>[]): Payment[] =>
  rows.map(readPayment).filter((payment) => payment !== null)

function lease(ids: SQL, token: string, now: Date, until: Date): SQL {
  return sql`update payments p set lease_token = ${token}, lease_until = ${at(until)},
    next_attempt_at = greatest(p.next_attempt_at, ${at(until)}), updated_at = ${at(now)}
    from (${ids}) due where p.id = due.id and p.created_at = due.created_at returning ${paymentColumns('p')}`
}

const nonceLifeMs = 3_600_000

/**
 * Takes the lease of up to `limit` rows that are due, oldest first; rows another driver is taking are skipped. With `untouchedSince`
 * instead settled rows that wait for the provider or the store, were not touched since then, and whose next try is not due, longest
 * untouched first: the time of that try stays, unless the lease ends later. Sign-in nonces used more than an hour ago are deleted
 * too, so that an idle run stays one statement.
 */
export async function leaseDue(
  database: Database,
  options: { token: string; now: Date; until: Date; limit: number; untouchedSince?: Date | undefined },
): Promise<Payment[]> {
  const { now, untouchedSince } = options
  const wanted =
    untouchedSince === undefined
      ? sql`next_attempt_at <= ${at(now)}`
      : sql`state = 'settled' and attempts > 0 and next_attempt_at > ${at(now)} and updated_at <= ${at(untouchedSince)}
          and reason in ('provider_unavailable', 'storage_unavailable')`
  const order = sql.raw(untouchedSince === undefined ? 'next_attempt_at' : 'updated_at')
  const due = sql`select id, created_at from payments where ${wanted} and (lease_until is null or lease_until <= ${at(now)})
    order by ${order} limit ${options.limit}::int for update skip locked`
  const purge = sql`delete from used_nonces where used_at < ${at(new Date(now.getTime() - nonceLifeMs))}`
  const leased = lease(due, options.token, now, options.until)
  return present(await database.run(sql`with purged as (${purge}), leased as (${leased}) select * from leased`))
}

/** When the lease of a payment ends that a driver holds now; null without one. */
export async function readLeaseEnd(database: Database, inferenceId: string, now: Date): Promise<Date | null> {
  const [row] = await database.run(
    sql`select p.lease_until from ${keyedPayments} where k.inference_id = ${inferenceId}::uuid and p.lease_until > ${at(now)}`,
    { readOnly: true },
  )
  return typeof row?.['lease_until'] === 'string' ? new Date(row['lease_until']) : null
}

/** When the next payment is due; null when none waits. */
export async function readNextDue(database: Database): Promise<Date | null> {
  const [row] = await database.run(
    sql`select min(next_attempt_at) as due from payments where next_attempt_at is not null`,
    { readOnly: true },
  )
  return typeof row?.['due'] === 'string' ? new Date(row['due']) : null
}

/**
 * Takes the lease of one payment, by the id of its inference or prediction, if it is due and was not touched since
 * `untouchedSince`. Null otherwise.
 */
export async function leaseOne(
  database: Database,
  by: { inferenceId: string } | { predictionId: string },
  options: { token: string; now: Date; until: Date; untouchedSince: Date; evenIfNotDue?: boolean },
): Promise<Payment | null> {
  const which =
    'inferenceId' in by
      ? sql`${keyedPayments} where k.inference_id = ${by.inferenceId}::uuid`
      : sql`payments p where p.state = 'settled' and p.provider_prediction_id = ${by.predictionId}`
  const due =
    options.evenIfNotDue === true ? sql`p.next_attempt_at is not null` : sql`p.next_attempt_at <= ${at(options.now)}`
  const ids = sql`select p.id, p.created_at from ${which} and ${due}
    and (p.lease_until is null or p.lease_until <= ${at(options.now)}) and p.updated_at <= ${at(options.untouchedSince)}
    for update of p skip locked`
  return present(await database.run(lease(ids, options.token, options.now, options.until)))[0] ?? null
}

/** A payment and its record by the inference's id, one query. */
export async function findByInferenceId(
  database: Database,
  inferenceId: string,
): Promise<{ payment: Payment; record: InferenceRecord | null } | null> {
  const rows = await database.run(
    sql`select ${paymentColumns('p')}, ${inferenceColumns('i')}
    from ${keyedPayments} left join inferences i on i.id = p.inference_id where k.inference_id = ${inferenceId}::uuid`,
    { readOnly: true },
  )
  const row = rows[0]
  const payment = row === undefined ? null : readPayment(row)
  return row === undefined || payment === null ? null : { payment, record: readInference(row) }
}

/** The payment of an authorization, all in lower case; null when the journal has none. One query. */
export async function findByAuthorization(
  database: Database,
  key: { chainId: number; asset: string; payer: string; nonce: string },
): Promise<Payment | null> {
  const rows = await database.run(
    sql`select ${paymentColumns('p')} from ${keyedPayments} where k.chain_id = ${key.chainId}::int
    and k.asset = ${key.asset} and k.payer = ${key.payer} and k.nonce = ${key.nonce}`,
    { readOnly: true },
  )
  return present(rows)[0] ?? null
}
