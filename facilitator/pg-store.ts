import pg from 'pg'
import * as z from 'zod'
import type { SentTransaction, SettlementStore } from './store.ts'

const hex = z.templateLiteral(['0x', z.string()])
const rowSchema = z
  .object({
    key: z.string(),
    network: z.string(),
    asset: hex,
    payer: hex,
    value: z.coerce.bigint(),
    signature: z.string(),
    signer: z.string(),
    account_nonce: z.coerce.number(),
    gas: z.coerce.bigint(),
    is_trial: z.boolean(),
    hash: hex,
    raw: hex,
    replaced: z.array(hex),
    sent_at: z.date(),
    priced_at: z.date(),
    ended_at: z.date().nullable(),
  })
  .transform(({ account_nonce, is_trial, sent_at, priced_at, ended_at, ...row }): SentTransaction => {
    const times = { sentAt: sent_at, pricedAt: priced_at, endedAt: ended_at }
    return { ...row, accountNonce: account_nonce, isTrial: is_trial, ...times }
  })

const standingSchema = z
  .object({
    has_reverted: z.boolean(),
    payer_reverted_at: z.date().nullable(),
    payer_lost: z.coerce.bigint(),
    key_lost: z.coerce.bigint(),
    trial_lost: z.coerce.bigint(),
    credit: z.coerce.bigint(),
  })
  .transform((row) => ({
    hasReverted: row.has_reverted,
    payerRevertedAt: row.payer_reverted_at,
    payerLost: row.payer_lost,
    keyLost: row.key_lost,
    trialLost: row.trial_lost,
    credit: row.credit,
  }))

/** A separate schema, so that the service's database can hold it too. Created by the process that holds the signer's lock. */
const TABLES = `
create schema if not exists facilitator;
create table if not exists facilitator.settlements (
  key text primary key,
  network text not null,
  signer text not null,
  account_nonce bigint not null,
  signature text not null,
  hash text not null,
  raw text not null,
  sent_at timestamptz not null,
  unique (network, signer, account_nonce)
);
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
create table if not exists facilitator.reverts (
  key text primary key,
  network text not null,
  signer text not null,
  payer text not null,
  is_trial boolean not null,
  gas bigint not null,
  reverted_at timestamptz not null
);
create table if not exists facilitator.credits (
  network text not null,
  payer text not null,
  gas bigint not null,
  settled_at timestamptz not null,
  primary key (network, payer)
)`

const RECORD = `
insert into facilitator.settlements
  (key, network, asset, payer, value, signature, signer, account_nonce, gas, is_trial, hash, raw, replaced, sent_at, priced_at, ended_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`

const REPLACE = `
update facilitator.settlements
set hash = $3, raw = $4, priced_at = $5, replaced = array_append(replaced, hash)
where key = $1 and hash = $2`

/** One statement, so that a crash cannot end an entry without its gas being counted. */
const END_REVERTED = `
with ended as (
  update facilitator.settlements set ended_at = $2 where key = $1 and ended_at is null
  returning key, network, signer, payer, is_trial
), dropped as (
  delete from facilitator.credits c using ended e where c.network = e.network and c.payer = e.payer and not $4
)
insert into facilitator.reverts (key, network, signer, payer, is_trial, gas, reverted_at)
select key, network, signer, case when $4 then '' else payer end, is_trial, $3::bigint, $2 from ended
on conflict (key) do update set gas = reverts.gas + excluded.gas, reverted_at = excluded.reverted_at`

const END_SETTLED = `
with ended as (
  update facilitator.settlements set ended_at = $2 where key = $1 and ended_at is null returning network, payer, gas
)
insert into facilitator.credits (network, payer, gas, settled_at)
select network, payer, gas, $2 from ended
on conflict (network, payer) do update set gas = credits.gas + excluded.gas, settled_at = excluded.settled_at`

const STANDING = `
select
  coalesce(bool_or(key = $4), false) as has_reverted,
  max(reverted_at) filter (where payer = $3) as payer_reverted_at,
  coalesce(sum(gas) filter (where reverted_at > $5 and payer = $3), 0) as payer_lost,
  coalesce(sum(gas) filter (where reverted_at > $5 and signer = $2), 0) as key_lost,
  coalesce(sum(gas) filter (where reverted_at > $5 and signer = $2 and is_trial), 0) as trial_lost,
  coalesce((select gas from facilitator.credits where network = $1 and payer = $3), 0) as credit
from facilitator.reverts where network = $1`

/** Rows of each table kept at most; the oldest go first. */
const MAX_KEPT = 100_000
const PRUNE_REVERTS = `
delete from facilitator.reverts where reverted_at < $1 or key in
  (select key from facilitator.reverts order by reverted_at desc offset ${MAX_KEPT})`
const PRUNE_CREDITS = `
delete from facilitator.credits where settled_at < $1 or (network, payer) in
  (select network, payer from facilitator.credits order by settled_at desc offset ${MAX_KEPT})`

const DEADLINE_MS = 5_000

export interface PgSettlementStore extends SettlementStore {
  /** Creates missing tables and columns. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/** The store in PostgreSQL: it survives the process. */
export function makePgStore(databaseUrl: string): PgSettlementStore {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 5,
    connectionTimeoutMillis: DEADLINE_MS,
    query_timeout: DEADLINE_MS,
  })
  // An idle connection that the server drops: the pool has already removed it.
  pool.on('error', () => undefined)
  const rowsOf = async (text: string, values: unknown[]) =>
    z.array(rowSchema).parse((await pool.query(text, values)).rows)
  return {
    prepare: async () => void (await pool.query(TABLES)),
    ping: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
    find: async (key) => (await rowsOf('select * from facilitator.settlements where key = $1', [key]))[0] ?? null,
    record: async (sent) => {
      const { key, network, asset, payer, value, signature, signer, accountNonce, gas, isTrial } = sent
      await pool.query(RECORD, [
        ...[key, network, asset, payer, value, signature, signer, accountNonce, gas, isTrial],
        ...[sent.hash, sent.raw, sent.replaced, sent.sentAt, sent.pricedAt, sent.endedAt],
      ])
    },
    replace: async (key, old, by) =>
      (await pool.query(REPLACE, [key, old, by.hash, by.raw, by.pricedAt])).rowCount === 1,
    end: async (key, { isReverted, isPaid = false, gasUsed, at }) => {
      const reverted = [key, at, gasUsed, isPaid]
      const ended = isReverted ? pool.query(END_REVERTED, reverted) : pool.query(END_SETTLED, [key, at])
      return (await ended).rowCount === 1
    },
    forget: async (key) => void (await pool.query('delete from facilitator.settlements where key = $1', [key])),
    open: (network) =>
      rowsOf('select * from facilitator.settlements where network = $1 order by account_nonce', [network]),
    standing: async ({ network, signer, payer, key, since }) =>
      standingSchema.parse((await pool.query(STANDING, [network, signer, payer, key, since])).rows[0]),
    prune: async (before) => {
      await pool.query(PRUNE_REVERTS, [before.reverts])
      await pool.query(PRUNE_CREDITS, [before.credits])
    },
  }
}
