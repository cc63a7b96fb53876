-- The record of a settled payment's run. With an outcome it ends the purchase: the final record, the journal's end, and the sums of its
-- model and day. Without one it writes the pending record of a purchase that outlives its call.
-- Answers true when this call ended the purchase. A second record, or that of another run than the one the payment has, changes nothing.
create or replace function record_inference_1(call jsonb) returns boolean
language plpgsql set search_path = public, pg_temp as $$
declare
  moment constant timestamptz := call->>'now';
  created constant timestamptz := call->>'createdAt'; -- without the microseconds
  created_before constant timestamptz := created + interval '1 millisecond';
  run constant text := call->>'predictionId';
  outcome constant jsonb := nullif(call->'outcome', 'null');
  has_succeeded constant boolean := outcome->>'status' = 'succeeded';
  took_ms constant integer := outcome->>'predictTimeMs';
  payment payments;
  sum_part smallint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'record_inference_1 needs READ COMMITTED';
  end if;

  if outcome is null then
    select * into payment from payments p
    where p.id = (call->>'id')::uuid and p.created_at >= created and p.created_at < created_before and p.state = 'settled';
  else
    update payments p set state = case when has_succeeded then 'done' else 'owed' end::payment_state, reason = outcome->'error'->>'detail',
      lease_until = null, lease_token = null, next_attempt_at = null, provider_prediction_id = coalesce(p.provider_prediction_id, run),
      output_digests = nullif(outcome->'outputDigests', 'null'), updated_at = moment
    where p.id = (call->>'id')::uuid and p.created_at >= created and p.created_at < created_before and p.state = 'settled'
      and (run is null or coalesce(p.provider_prediction_id, run) = run)
    returning * into payment;
  end if;
  if payment.id is null then
    return false;
  end if;

  insert into inferences (id, user_address, task_type, model, input, output_type, output_data, status, predict_time_ms, estimated_cost_usdc,
    actual_cost_usdc, payment_tx_hash, payment_chain_id, staked_aic_at_time, discount_pct, effective_rate_usdc, created_at, completed_at, error)
  values (payment.inference_id, payment.payer, (payment.request->>'task')::task_type, payment.request->>'model', payment.request->'input',
    (call->>'outputType')::output_type, nullif(outcome->'outputData', 'null'), coalesce(outcome->>'status', 'pending')::inference_status, took_ms,
    (payment.quote->>'estimatedCostUsdc')::numeric, (outcome->>'actualCostUsdc')::numeric, payment.tx_hash, payment.chain_id,
    (payment.quote->>'stakedAic')::numeric, (payment.quote->>'discountPct')::numeric, (payment.quote->>'effectiveRateUsdc')::numeric,
    payment.created_at, case when outcome is not null then moment end, nullif(outcome->'error', 'null'))
  on conflict (id) do update set input = excluded.input, output_data = excluded.output_data, status = excluded.status,
    predict_time_ms = excluded.predict_time_ms, actual_cost_usdc = excluded.actual_cost_usdc, completed_at = excluded.completed_at, error = excluded.error
  where inferences.status = 'pending' and outcome is not null;
  if not found or outcome is null then
    return false;
  end if;

  -- Each sum is spread over 16 rows, by the last digit of the payment's id, so that purchases do not wait for one row.
  sum_part := ('x' || right(payment.id::text, 1))::bit(4)::integer;
  insert into model_sum_parts (model, part, succeeded, failed, timed, predict_time_ms)
  values (payment.request->>'model', sum_part, has_succeeded::integer, (not has_succeeded)::integer, (coalesce(took_ms, 0) > 0)::integer,
    greatest(coalesce(took_ms, 0), 0))
  on conflict (model, part) do update set succeeded = model_sum_parts.succeeded + excluded.succeeded, failed = model_sum_parts.failed + excluded.failed,
    timed = model_sum_parts.timed + excluded.timed, predict_time_ms = model_sum_parts.predict_time_ms + excluded.predict_time_ms;
  insert into day_sum_parts (day, part, runs) values ((moment at time zone 'UTC')::date, sum_part, 1)
  on conflict (day, part) do update set runs = day_sum_parts.runs + 1;
  return true;
end $$;

revoke execute on function record_inference_1(jsonb) from public;
