-- The settled mark: keeps the transaction's hash, and adds the amount to the sum of its asset. Answers { payment }; without
-- one, and nothing was written, where the driver lost its lease. Fails with 23505 where another payment has this hash.
create or replace function mark_settled_1(call jsonb) returns jsonb
language plpgsql set search_path = public, pg_temp as $$
declare
  moment constant timestamptz := call->>'now';
  leased_until constant timestamptz := call->>'leaseUntil';
  created constant timestamptz := call->>'createdAt'; -- without the microseconds
  created_before constant timestamptz := created + interval '1 millisecond';
  payment payments;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'mark_settled_1 needs READ COMMITTED';
  end if;

  update payments p set state = 'settled', tx_hash = call->>'txHash', settled_at = moment, attempts = 0, reason = null,
    lease_until = leased_until, next_attempt_at = leased_until, updated_at = moment
  where p.id = (call->>'id')::uuid and p.created_at >= created and p.created_at < created_before
    and p.lease_token = call->>'leaseToken' and p.state::text in (select jsonb_array_elements_text(call->'from'))
  returning * into payment;
  if not found then
    return '{}';
  end if;

  -- Each sum is spread over 16 rows, by the last digit of the payment's id, so that purchases do not wait for one row.
  insert into asset_sum_parts (chain_id, asset, part, amount)
  values (payment.chain_id, payment.asset, ('x' || right(payment.id::text, 1))::bit(4)::integer, payment.amount)
  on conflict (chain_id, asset, part) do update set amount = asset_sum_parts.amount + excluded.amount;
  return jsonb_build_object('payment', to_jsonb(payment) || jsonb_build_object('amount', payment.amount::text));
end $$;

revoke execute on function mark_settled_1(jsonb) from public;
