-- The claim: looks a payment authorization up, and claims it when it is new or was rejected before, and nothing refuses it. One call does all
-- of it, so that of any number of copies of a payment one is claimed, and each of the others finds its row.
--
-- Answers { kind, payment, record, windowEnds }. `kind` is
--   new              claimed: the caller has the lease
--   reclaimed        was rejected before, and is claimed again: the caller has the lease
--   taken            another driver's lease is over: the caller has the lease
--   busy             a driver works on it
--   waiting          settled; a try failed, and the next is due later
--   ended            has its record
--   rejected         was rejected before, and this call is refused too
--   refused          has no row, and this call is refused: nothing is written
--   limited          the wallet made its claims of this minute: nothing is written
--   other_request    was sent with another body before
--   identifier_used  another payment of this wallet has this identifier; `payment` is that one
--   unproven         the caller's proof is not good for this payment: nothing is written
create or replace function claim_payment_1(call jsonb) returns jsonb
language plpgsql set search_path = public, pg_temp as $$
declare
  -- The call. A missing member is null, and one that this version does not know is ignored.
  chain constant integer := call->>'chainId';
  token constant text := call->>'asset';
  buyer constant text := call->>'payer';
  auth_nonce constant text := call->>'nonce';
  body_hash constant text := call->>'requestHash';
  body constant jsonb := nullif(call->'request', 'null');
  identifier constant text := call->>'identifier';
  fresh constant jsonb := nullif(call->'fresh', 'null'); -- what a new row holds; null where something refuses this payment
  per_minute constant integer := call->>'limitPerMinute'; -- null for no limit
  moment constant timestamptz := call->>'now';
  lease constant text := call->>'leaseToken';
  leased_until constant timestamptz := call->>'leaseUntil';
  proof constant jsonb := nullif(call->'proof', 'null'); -- null for a session's cookie
  proof_nonce constant text := proof->>'nonce';
  request_keys constant text[] := array(select jsonb_array_elements_text(proof->'plainAccountKeys')) || (proof->>'requestKey');
  this_payment constant text := format('payment %s %s %s %s', chain, token, buyer, auth_nonce);
  -- What is found.
  key payment_keys;
  payment payments;
  other payments;
  nonce_use used_nonces;
  proven text;
  recent_claims timestamptz[];
  may_claim boolean;
  kind text;
  inference jsonb;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'claim_payment_1 needs READ COMMITTED: else it would not see what another call wrote while it waited';
  end if;

  -- A refused payment can write nothing new. Most have no row: then no lock is taken.
  if fresh is null and not exists (
    select from payment_keys k where k.chain_id = chain and k.asset = token and k.payer = buyer and k.nonce = auth_nonce
  ) then
    return jsonb_build_object('kind', 'refused');
  end if;

  -- One call of a wallet at a time. Each statement from here on sees what the calls before wrote.
  perform pg_advisory_xact_lock(hashtextextended(buyer, 0));

  -- The row, by its key: the key's time leads to one month. A row that is removed between the two reads is looked up once more.
  for look in 1..2 loop
    select * into key from payment_keys k where k.chain_id = chain and k.asset = token and k.payer = buyer and k.nonce = auth_nonce;
    exit when key.payment_id is null;
    select * into payment from payments p where p.id = key.payment_id and p.created_at = key.created_at;
    exit when payment.id is not null;
  end loop;
  if key.payment_id is not null and payment.id is null then
    raise exception 'the payment has a key and no row';
  end if;
  if payment.id is null and fresh is null then
    return jsonb_build_object('kind', 'refused');
  end if;
  may_claim := payment.id is null or payment.state = 'rejected';

  -- The proof: how this call may use its challenge's nonce.
  select * into nonce_use from used_nonces u where u.nonce = proof_nonce;
  if proof is null then
    proven := 'cookie';
  elsif payment.sign_in_nonce = proof_nonce or nonce_use.bound_to = this_payment then
    proven := 'kept'; -- this payment used it before
  elsif nonce_use.used_at > moment - interval '10 minutes' and (nonce_use.bound_to = proof->>'requestKey'
      or nonce_use.bound_to = any(request_keys) and coalesce(payment.signature_recovered, (fresh->>'signatureRecovered')::boolean, false)) then
    proven := 'bound'; -- an unpaid call of the same wallet and request used it; a plain account is the same wallet on every chain
  elsif nonce_use.nonce is null and (proof->>'mayUseFresh' = 'always' or proof->>'mayUseFresh' = 'to_claim' and payment.id is null) then
    proven := 'fresh'; -- no call used it yet
  else
    proven := 'no';
  end if;

  -- What a claim is checked against: the wallet's claims of the last minute, and another payment with this identifier.
  if may_claim then
    select array_agg(t order by t) into recent_claims from paid_rates r, unnest(r.recent) t
    where r.payer = buyer and t > moment - interval '1 minute';
    if identifier is not null then
      select * into other from payments p
      where p.payer = buyer and p.payment_identifier = identifier and p.state <> 'rejected' and (p.signature_recovered or p.chain_id = chain)
        and not (p.chain_id = chain and p.asset = token and p.nonce = auth_nonce)
      order by p.created_at desc limit 1;
    end if;
  end if;

  -- The verdict.
  if proven = 'no' then
    kind := 'unproven';
  elsif payment.request_hash <> body_hash then
    kind := 'other_request';
  elsif may_claim and fresh is null then
    kind := 'rejected';
  elsif other.id is not null then
    kind := 'identifier_used';
  elsif may_claim and coalesce(cardinality(recent_claims), 0) >= per_minute then
    kind := 'limited';
  elsif payment.id is null then
    kind := 'new';
  elsif payment.state = 'rejected' then
    kind := 'reclaimed';
  elsif payment.state in ('done', 'owed') then
    kind := 'ended';
  elsif payment.lease_until > moment then
    kind := 'busy';
  elsif payment.state = 'settled' and payment.next_attempt_at > moment and payment.reason is not null and payment.request->'input' <> '{}' then
    kind := 'waiting';
  else
    kind := 'taken';
  end if;

  -- The nonce is this payment's from now on, unless a call of another payment took it meanwhile.
  if proven in ('fresh', 'bound') and kind <> 'limited' then
    insert into used_nonces (nonce, used_at, bound_to) values (proof_nonce, moment, this_payment)
    on conflict (nonce) do update set bound_to = excluded.bound_to where used_nonces.bound_to = any(request_keys);
    if not found then
      kind := 'unproven';
    end if;
  end if;

  -- The writes. A claim is a visit of its payer, who may be new, and counts in the wallet's limit.
  if kind in ('new', 'reclaimed') then
    insert into users (address, created_at, last_seen_at) values (buyer, moment, moment)
    on conflict (address) do update set last_seen_at = greatest(users.last_seen_at, excluded.last_seen_at);
    insert into paid_rates (payer, recent) values (buyer, array[moment])
    on conflict (payer) do update set recent = recent_claims || moment;
  end if;
  if kind = 'new' then
    insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature, signature_recovered,
      sign_in_nonce, payment_identifier, state, object_key, inference_id, next_attempt_at, lease_until, lease_token, created_at, updated_at)
    values ((fresh->>'id')::uuid, chain, token, buyer, auth_nonce, (fresh->>'amountAtomic')::numeric, fresh->'request', body_hash, fresh->'terms',
      fresh->'authorization', fresh->>'signature', (fresh->>'signatureRecovered')::boolean, proof_nonce, identifier, 'settling', fresh->>'objectKey',
      (fresh->>'inferenceId')::uuid, leased_until, leased_until, lease, moment, moment)
    returning * into payment;
  elsif kind in ('reclaimed', 'taken') then
    update payments p set lease_token = lease, lease_until = leased_until, next_attempt_at = leased_until, updated_at = moment,
      -- An input that was dropped comes back with the same request.
      request = case when kind = 'taken' and body is not null and p.request->'input' = '{}' then body else p.request end
    where p.id = key.payment_id and p.created_at = key.created_at
      and (p.state, p.lease_token, p.lease_until) is not distinct from (payment.state, payment.lease_token, payment.lease_until)
    returning * into payment;
    if not found then
      raise exception 'another driver changed the payment' using errcode = 'serialization_failure'; -- the caller's driver asks once more
    end if;
  end if;
  if kind = 'reclaimed' then
    update payments p set state = 'settling', reason = null, chain_checked_at = null, sent_tx_hash = null,
      amount = (fresh->>'amountAtomic')::numeric, request = fresh->'request', quote = fresh->'terms', "authorization" = fresh->'authorization',
      signature = fresh->>'signature', signature_recovered = (fresh->>'signatureRecovered')::boolean,
      sign_in_nonce = coalesce(proof_nonce, p.sign_in_nonce), payment_identifier = coalesce(identifier, p.payment_identifier)
    where p.id = key.payment_id and p.created_at = key.created_at
    returning * into payment;
  end if;

  if kind = 'identifier_used' then
    payment := other;
  elsif kind = 'ended' then
    select to_jsonb(i) || jsonb_build_object('estimated_cost_usdc', i.estimated_cost_usdc::text, 'actual_cost_usdc', i.actual_cost_usdc::text)
    into inference from inferences i where i.id = payment.inference_id;
  end if;
  return jsonb_build_object('kind', kind, 'record', inference, 'windowEnds', recent_claims[1] + interval '1 minute',
    'payment', case when payment.id is not null then to_jsonb(payment) || jsonb_build_object('amount', payment.amount::text) end);
end $$;

revoke execute on function claim_payment_1(jsonb) from public;
