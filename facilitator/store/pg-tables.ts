/**
 * The tables, in a separate schema, so that the service's database can hold them too. Every process runs this at its start. The lock
 * lets one of them do it at a time; its name has two numbers as all of the facilitator's, which the service's role may not lock
 * (`docs/deploy/roles.sql`). The last block moves what an earlier version stored in one table.
 */
export const TABLES = `
select pg_advisory_xact_lock(7402101, 0);
create schema if not exists facilitator;
create table if not exists facilitator.transactions (
  network text not null,
  signer text not null,
  account_nonce bigint not null,
  gas bigint not null,
  hash text not null,
  raw text not null,
  replaced text[] not null,
  sent_at timestamptz not null,
  priced_at timestamptz not null,
  mined_at timestamptz,
  primary key (network, signer, account_nonce)
);
create index if not exists transactions_open on facilitator.transactions (network) where mined_at is null;
create table if not exists facilitator.settlements (
  key text primary key,
  network text not null,
  signer text not null,
  account_nonce bigint not null,
  asset text not null,
  payer text not null,
  value numeric(78) not null,
  signature text not null,
  gas bigint not null,
  is_trial boolean not null,
  ended_at timestamptz
);
create table if not exists facilitator.reverts (
  key text primary key,
  network text not null,
  signer text not null default '',
  payer text not null,
  is_trial boolean not null,
  gas bigint not null,
  reverted_at timestamptz not null
);
alter table facilitator.reverts alter column signer set default '';
create index if not exists reverts_payer on facilitator.reverts (network, payer);
create table if not exists facilitator.credits (
  network text not null,
  payer text not null,
  gas bigint not null,
  settled_at timestamptz not null,
  primary key (network, payer)
);
do $$ begin
  if exists (select from information_schema.columns
    where table_schema = 'facilitator' and table_name = 'settlements' and column_name = 'raw') then
    alter table facilitator.settlements
      add column if not exists replaced text[] not null default '{}',
      add column if not exists priced_at timestamptz not null default now(),
      add column if not exists asset text not null default '0x',
      add column if not exists payer text not null default '0x',
      add column if not exists value numeric(78) not null default 0,
      add column if not exists gas bigint not null default 0,
      add column if not exists is_trial boolean not null default false,
      add column if not exists ended_at timestamptz;
    update facilitator.settlements set asset = split_part(key, ' ', 2), payer = split_part(key, ' ', 3) where payer = '0x';
    insert into facilitator.transactions
      select network, signer, account_nonce, gas, hash, raw, replaced, sent_at, priced_at, ended_at from facilitator.settlements;
    alter table facilitator.settlements
      drop constraint if exists settlements_network_signer_account_nonce_key,
      drop column hash, drop column raw, drop column replaced, drop column sent_at, drop column priced_at;
  end if;
end $$;
create index if not exists settlements_transaction on facilitator.settlements (network, signer, account_nonce);
create index if not exists settlements_in_flight on facilitator.settlements (network) where ended_at is null;`

/** The entries of a transaction in one column, so that one statement reads both. */
const WITH_ENTRIES = `
select t.*, coalesce((
  select jsonb_agg(jsonb_build_object(
    'key', s.key, 'network', s.network, 'asset', s.asset, 'payer', s.payer, 'value', s.value::text, 'signature', s.signature,
    'gas', s.gas::text, 'isTrial', s.is_trial, 'endedAt', s.ended_at) order by s.key)
  from facilitator.settlements s
  where s.network = t.network and s.signer = t.signer and s.account_nonce = t.account_nonce), '[]') as entries
from facilitator.transactions t`

const OF_ID = 't.network = $1 and t.signer = $2 and t.account_nonce = $3'

export const FIND = `${WITH_ENTRIES}
where (t.network, t.signer, t.account_nonce) in
  (select network, signer, account_nonce from facilitator.settlements where key = any($1))`
export const READ = `${WITH_ENTRIES} where ${OF_ID}`
export const OPEN = `${WITH_ENTRIES} where t.network = $1 and t.mined_at is null order by t.account_nonce`
export const MINED_FROM = `${WITH_ENTRIES}
where t.network = $1 and t.signer = $2 and t.account_nonce >= $3 and t.mined_at is not null`

/** One statement: a transaction is never without its entries. A taken key or nonce fails all of it. */
export const RECORD = `
with sent as (
  insert into facilitator.transactions
    (network, signer, account_nonce, gas, hash, raw, replaced, sent_at, priced_at, mined_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
)
insert into facilitator.settlements
  (key, network, signer, account_nonce, asset, payer, value, signature, gas, is_trial, ended_at)
select e.key, $1, $2, $3, e.asset, e.payer, e.value, e.signature, e.gas, e.is_trial, e.ended_at
from unnest($11::text[], $12::text[], $13::text[], $14::numeric[], $15::text[], $16::bigint[], $17::boolean[], $18::timestamptz[])
  as e (key, asset, payer, value, signature, gas, is_trial, ended_at)`

export const REPLACE = `
update facilitator.transactions t
set hash = $5, raw = $6, priced_at = $7, replaced = array_append(replaced, hash)
where ${OF_ID} and hash = $4`

export const REOPEN = `update facilitator.transactions t set mined_at = null where ${OF_ID}`

export const DISCARD = `
with dropped as (delete from facilitator.transactions t where ${OF_ID})
delete from facilitator.settlements t where ${OF_ID}`

export const FORGET = `
delete from facilitator.settlements t
using unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as o (network, signer, account_nonce, key)
where t.key = o.key and t.network = o.network and t.signer = o.signer and t.account_nonce = o.account_nonce`

/** One statement, so that a crash cannot end an entry without its gas being counted. */
export const END = `
with mined as (
  update facilitator.transactions t set mined_at = $4 where ${OF_ID}
), said as (
  select * from unnest($5::text[], $6::text[], $7::boolean[], $8::boolean[], $9::bigint[])
    as o (key, row_key, is_reverted, is_blameless, gas_used)
), ended as (
  update facilitator.settlements t set ended_at = $4 from said
  where t.key = said.key and ${OF_ID} and t.ended_at is null
  returning t.key, t.network, t.payer, t.is_trial, t.gas, said.row_key, said.is_reverted, said.is_blameless, said.gas_used
), guilty as (
  select distinct network, payer from ended where is_reverted and not is_blameless
), dropped as (
  delete from facilitator.credits c using guilty g where c.network = g.network and c.payer = g.payer
), credited as (
  insert into facilitator.credits (network, payer, gas, settled_at)
  select network, payer, sum(gas), $4 from ended
  where not is_reverted and payer not in (select payer from guilty) group by network, payer
  on conflict (network, payer) do update set gas = credits.gas + excluded.gas, settled_at = excluded.settled_at
), lost as (
  insert into facilitator.reverts (key, network, payer, is_trial, gas, reverted_at)
  select row_key, network, case when is_blameless then '' else payer end, is_trial, gas_used, $4 from ended where is_reverted
  on conflict (key) do update set gas = reverts.gas + excluded.gas, reverted_at = excluded.reverted_at
)
select key from ended`

export const IN_FLIGHT = `
select key, asset, payer, value, gas, is_trial, signer, account_nonce
from facilitator.settlements where network = $1 and ended_at is null`

export const NEXT_NONCE = `
select coalesce(max(account_nonce) + 1, 0) as next from facilitator.transactions where network = $1 and signer = $2`

export const HISTORIES = `
with lost as (
  select coalesce(sum(gas), 0) as network_lost, coalesce(sum(gas) filter (where is_trial), 0) as trial_lost
  from facilitator.reverts where network = $1 and reverted_at > $4
)
select lost.*,
  exists (select from facilitator.reverts r where r.key = q.key) as has_reverted,
  (select max(reverted_at) from facilitator.reverts r where r.network = $1 and r.payer = q.payer) as payer_reverted_at,
  coalesce((select sum(gas) from facilitator.reverts r
    where r.network = $1 and r.payer = q.payer and reverted_at > $4), 0) as payer_lost,
  coalesce((select gas from facilitator.credits c where c.network = $1 and c.payer = q.payer), 0) as credit
from unnest($2::text[], $3::text[]) with ordinality as q (key, payer, place), lost order by q.place`

/** Rows of each table kept at most; the oldest go first. */
const MAX_KEPT = 100_000
export const PRUNE_REVERTS = `
delete from facilitator.reverts where reverted_at < $1 or key in
  (select key from facilitator.reverts order by reverted_at desc offset ${MAX_KEPT})`
export const PRUNE_CREDITS = `
delete from facilitator.credits where settled_at < $1 or (network, payer) in
  (select network, payer from facilitator.credits order by settled_at desc offset ${MAX_KEPT})`
export const PRUNE_TRANSACTIONS = `
with dropped as (
  delete from facilitator.transactions t
  where t.mined_at is not null and (t.sent_at < $2 or t.mined_at < $1 and not exists (
    select from facilitator.settlements s
    where s.network = t.network and s.signer = t.signer and s.account_nonce = t.account_nonce))
  returning network, signer, account_nonce
)
delete from facilitator.settlements s using dropped d
where s.network = d.network and s.signer = d.signer and s.account_nonce = d.account_nonce`
