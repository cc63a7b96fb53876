import { sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at, json } from '../statement.ts'
import type { Tokens } from './inference-row.ts'
import { isPayment, type Payment, type PaymentRef } from './payment-row.ts'
import { sumPart } from './sums.ts'

/** The output of a run, as it is stored. */
export type OutputData = { text: string; tokens?: Tokens } | { urls: string[] }

/** How a run ended. `predictTimeMs` is an integer of milliseconds, null when the provider did not say. */
export type Outcome =
  | {
      status: 'succeeded'
      outputData: OutputData
      /** SHA-256 of each file, 64 hex digits, null where it is not known; null for a text. */
      outputDigests: (string | null)[] | null
      predictTimeMs: number | null
      actualCostUsdc: string | null
    }
  | { status: 'failed'; error: { code: string; detail: string } }

const columnList = sql.raw(
  'id, user_address, task_type, model, input, output_type, output_data, status, predict_time_ms, estimated_cost_usdc, actual_cost_usdc, payment_tx_hash, payment_chain_id, staked_aic_at_time, discount_pct, effective_rate_usdc, created_at, completed_at, error',
)

/** The part of a record that the payment alone decides; the rest is the outcome. */
function row(payment: Payment, outputType: string, outcome: Outcome | null, now: Date) {
  const ok = outcome?.status === 'succeeded' ? outcome : null
  return sql`${payment.inferenceId}::uuid, ${payment.payer}, ${payment.request.task}::task_type, ${payment.request.model},
    ${json(payment.request.input)}, ${outputType}::output_type, ${ok === null ? sql`null::jsonb` : json(ok.outputData)},
    ${outcome?.status ?? 'pending'}::inference_status, ${ok?.predictTimeMs ?? null}::int, ${payment.terms.estimatedCostUsdc}::numeric,
    ${ok?.actualCostUsdc ?? null}::numeric, source.tx_hash, source.chain_id, ${payment.terms.stakedAic}::numeric,
    ${payment.terms.discountPct}::numeric, ${payment.terms.effectiveRateUsdc}::numeric, ${at(payment.createdAt)},
    ${outcome === null ? sql`null::timestamptz` : at(now)},
    ${outcome?.status === 'failed' ? json(outcome.error) : sql`null::jsonb`}`
}

/**
 * Step 6 of the specification: the final row, the journal's end with its run's id, and the running sums, in one statement. A
 * second writer, or the outcome of another run than the tied one, changes nothing. Returns true when this call ended the purchase.
 */
export async function recordOutcome(
  database: Database,
  options: { payment: Payment; outputType: string; outcome: Outcome; now: Date },
): Promise<boolean> {
  const { payment, outputType, outcome, now } = options
  const ended = outcome.status === 'succeeded' ? 'done' : 'owed'
  const reason = outcome.status === 'failed' ? outcome.error.detail : null
  const timed = outcome.status === 'succeeded' && outcome.predictTimeMs !== null && outcome.predictTimeMs > 0
  const ms = timed ? outcome.predictTimeMs : 0
  const digests = outcome.status === 'succeeded' ? outcome.outputDigests : null
  const part = sumPart(payment.id)
  const rows = await database.run(sql`with source as (
      update payments p set state = ${ended}::payment_state, reason = ${reason}, lease_until = null, lease_token = null,
        next_attempt_at = null, provider_prediction_id = coalesce(p.provider_prediction_id, ${payment.predictionId}),
        output_digests = ${digests === null ? sql`null::jsonb` : json(digests)}, updated_at = ${at(now)}
      where ${isPayment('p', payment)} and p.state = 'settled'
        and (${payment.predictionId}::text is null or coalesce(p.provider_prediction_id, ${payment.predictionId}) = ${payment.predictionId})
      returning p.*
    ), recorded as (
      insert into inferences (${columnList}) select ${row(payment, outputType, outcome, now)} from source
      on conflict (id) do update set input = excluded.input, output_data = excluded.output_data, status = excluded.status,
        predict_time_ms = excluded.predict_time_ms, actual_cost_usdc = excluded.actual_cost_usdc,
        completed_at = excluded.completed_at, error = excluded.error
      where inferences.status = 'pending'
      returning id
    ), summed as (
      insert into model_sum_parts (model, part, succeeded, failed, timed, predict_time_ms)
      select ${payment.request.model}, ${part}, ${outcome.status === 'succeeded' ? 1 : 0}::bigint, ${outcome.status === 'failed' ? 1 : 0}::bigint,
        ${timed ? 1 : 0}::bigint, ${ms}::bigint from recorded
      on conflict (model, part) do update set succeeded = model_sum_parts.succeeded + excluded.succeeded,
        failed = model_sum_parts.failed + excluded.failed, timed = model_sum_parts.timed + excluded.timed,
        predict_time_ms = model_sum_parts.predict_time_ms + excluded.predict_time_ms
    ), counted as (
      insert into day_sum_parts (day, part, runs) select (${at(now)} at time zone 'UTC')::date, ${part}, 1 from recorded
      on conflict (day, part) do update set runs = day_sum_parts.runs + 1
    )
    select count(*)::int as ended from recorded`)
  return rows[0]?.['ended'] === 1
}

/** The `pending` row of a purchase that outlives its call. Harmless when there is a row, or the payment is not settled. */
export async function recordPending(
  database: Database,
  options: { payment: Payment; outputType: string; now: Date },
): Promise<void> {
  await database.run(sql`insert into inferences (${columnList})
    select ${row(options.payment, options.outputType, null, options.now)} from payments source
    where ${isPayment('source', options.payment)} and source.state = 'settled' on conflict (id) do nothing`)
}

/** Keeps the digests of a purchase's stored files, found when its receipt was first asked for. The files never change. */
export async function keepDigests(database: Database, payment: PaymentRef, digests: readonly string[]): Promise<void> {
  await database.run(sql`update payments p set output_digests = ${json(digests)}
    where ${isPayment('p', payment)} and p.state = 'done'`)
}
