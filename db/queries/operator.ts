import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at, texts } from '../statement.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'
import { type Payment, paymentColumns, readPayment } from './payment-row.ts'

/** Failures after which a run may still exist at the provider: it is looked at again before another is started. */
const RUN_MAY_EXIST = ['provider_unavailable', 'storage_unavailable', 'internal_error']
/** Failures after which there is no other run: the run succeeded, or its input is gone. */
const NEVER_RUN_AGAIN = ['output_empty', 'output_lost', 'output_refused', 'input_not_kept']

/** A payment by its own id or by the id of its inference. */
const hasId = (id: string): SQL => sql`(p.id, p.created_at) in (
  select payment_id, created_at from payment_keys where payment_id = ${id}::uuid or inference_id = ${id}::uuid)`

const only = (rows: Record<string, unknown>[]): Payment | null => (rows[0] === undefined ? null : readPayment(rows[0]))

/** A journal row and its record; null if no row has this id. */
export async function findPayment(
  database: Database,
  id: string,
): Promise<{ payment: Payment; record: InferenceRecord | null } | null> {
  const rows = await database.run(
    sql`select ${paymentColumns('p')}, ${inferenceColumns('i')}
    from payments p left join inferences i on i.id = p.inference_id where ${hasId(id)}`,
    { readOnly: true },
  )
  const payment = only(rows)
  return rows[0] === undefined || payment === null ? null : { payment, record: readInference(rows[0]) }
}

/** A run that was started just before may not be in the provider's list yet; looked for now, another would be started. */
const nextDueAt = (now: Date): SQL => sql`case when p.state in ('settled', 'owed') and p.provider_prediction_id is null
  then greatest(${at(now)}, p.updated_at + interval '60 seconds') else ${at(now)} end`

/**
 * Makes an unfinished payment due now, or a minute after its last try if no run of it is known. A rejected one is checked on
 * the chain once more. Returns null when the payment is finished, or a driver has its lease.
 */
export async function makeDue(database: Database, id: string, now: Date): Promise<Payment | null> {
  return only(
    await database.run(sql`update payments p set next_attempt_at = ${nextDueAt(now)}, updated_at = ${at(now)},
      chain_checked_at = case when p.state = 'rejected' then null else p.chain_checked_at end
    where ${hasId(id)} and p.state not in ('done', 'owed') and (p.lease_until is null or p.lease_until <= ${at(now)})
    returning ${paymentColumns('p')}`),
  )
}

/**
 * Has a failed run tried again: the journal goes back to `settled`, the record to `pending`, and the sums forget the failure, in
 * one statement. Null when the payment is not owed, a refund was noted, or another run is not possible or would be a second one.
 */
export async function rerunFailed(database: Database, id: string, now: Date): Promise<Payment | null> {
  return only(
    await database.run(sql`with source as (
      select p.id, p.created_at, p.inference_id, i.model, i.completed_at, i.error->>'code' as code
      from payments p join inferences i on i.id = p.inference_id
      where ${hasId(id)} and p.state = 'owed' and p.resolved_at is null and i.status = 'failed'
        and i.error->>'code' <> all(${texts(NEVER_RUN_AGAIN)})
      for update
    ), moved as (
      update payments p set state = 'settled', attempts = 0, reason = 'operator_retry', rerun_at = ${at(now)},
        provider_prediction_id = case when source.code = any(${texts(RUN_MAY_EXIST)}) then p.provider_prediction_id end,
        lease_until = null, lease_token = null, next_attempt_at = ${nextDueAt(now)}, updated_at = ${at(now)}
      from source where p.id = source.id and p.created_at = source.created_at and p.state = 'owed' returning p.*
    ), reopened as (
      update inferences i set status = 'pending', completed_at = null, error = null from source where i.id = source.inference_id
    ), forgotten as (
      insert into model_sum_parts (model, part, failed) select model, 0, -1 from source
      on conflict (model, part) do update set failed = model_sum_parts.failed - 1
    ), uncounted as (
      insert into day_sum_parts (day, part, runs) select (completed_at at time zone 'UTC')::date, 0, -1 from source
      on conflict (day, part) do update set runs = day_sum_parts.runs - 1
    )
    select ${paymentColumns('moved')} from moved`),
  )
}

/** Notes that an owed payment was refunded by hand. Null when it is not owed, or has its note. */
export async function resolveOwed(database: Database, id: string, note: string, now: Date): Promise<Payment | null> {
  return only(
    await database.run(sql`update payments p set resolved_at = ${at(now)}, resolution = ${note}, updated_at = ${at(now)}
    where ${hasId(id)} and p.state = 'owed' and p.resolved_at is null returning ${paymentColumns('p')}`),
  )
}
