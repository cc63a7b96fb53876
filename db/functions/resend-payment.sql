-- The mark before `/settle` is sent again for a payment that this driver has the lease of. It counts in the row, and in the wallet's limit.
-- Answers { limited, payment }: `payment` is null, and nothing was written, where the limit is used up or the lease was lost.
create or replace function resend_payment_1(call jsonb) returns jsonb
language plpgsql set search_path = public, pg_temp as $$
declare
  buyer constant text := call->>'payer';
  moment constant timestamptz := call->>'now';
  leased_until constant timestamptz := call->>'leaseUntil';
  per_minute constant integer := call->>'limitPerMinute'; -- null for no limit
  created constant timestamptz := call->>'createdAt'; -- without the microseconds
  created_before constant timestamptz := created + interval '1 millisecond';
  recent_claims timestamptz[];
  payment payments;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'resend_payment_1 needs READ COMMITTED: else it would not count what another call wrote while it waited';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(buyer, 0));

  select array_agg(t) into recent_claims from paid_rates r, unnest(r.recent) t where r.payer = buyer and t > moment - interval '1 minute';
  if coalesce(cardinality(recent_claims), 0) >= per_minute then
    return jsonb_build_object('limited', true);
  end if;

  update payments p set state = 'settling', settle_resends = p.settle_resends + 1, lease_until = leased_until,
    next_attempt_at = leased_until, updated_at = moment
  where p.id = (call->>'id')::uuid and p.created_at >= created and p.created_at < created_before
    and p.lease_token = call->>'leaseToken' and p.state::text in (select jsonb_array_elements_text(call->'from'))
  returning * into payment;
  if not found then
    return jsonb_build_object('limited', false);
  end if;

  insert into paid_rates (payer, recent) values (buyer, array[moment])
  on conflict (payer) do update set recent = recent_claims || moment;
  return jsonb_build_object('limited', false, 'payment', to_jsonb(payment) || jsonb_build_object('amount', payment.amount::text));
end $$;

revoke execute on function resend_payment_1(jsonb) from public;
