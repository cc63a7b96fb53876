import pg from 'pg'
import * as z from 'zod'
import type { SentTransaction, SettlementStore } from './store.ts'

const hex = z.templateLiteral(['0x', z.string()])
const rowSchema = z
  .object({
    key: z.string(),
    network: z.string(),
    signer: z.string(),
    account_nonce: z.coerce.number(),
    signature: z.string(),
    hash: hex,
    raw: hex,
    replaced: z.array(hex),
    sent_at: z.date(),
    priced_at: z.date(),
  })
  .transform(({ account_nonce, sent_at, priced_at, ...row }): SentTransaction => {
    return { ...row, accountNonce: account_nonce, sentAt: sent_at, pricedAt: priced_at }
  })

/** One table in a schema of its own, so that the service's database can hold it too. Made by whoever holds the signer's lock. */
const TABLE = `
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
alter table facilitator.settlements add column if not exists replaced text[] not null default '{}';
alter table facilitator.settlements add column if not exists priced_at timestamptz not null default now()`

const RECORD = `
insert into facilitator.settlements
  (key, network, signer, account_nonce, signature, hash, raw, replaced, sent_at, priced_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

const REPLACE = `
update facilitator.settlements
set hash = $3, raw = $4, priced_at = $5, replaced = array_append(replaced, hash)
where key = $1 and hash = $2`

const DEADLINE_MS = 5_000

export interface PgSettlementStore extends SettlementStore {
  /** Makes the table where it is missing. */
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
    prepare: async () => void (await pool.query(TABLE)),
    ping: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
    find: async (key) => (await rowsOf('select * from facilitator.settlements where key = $1', [key]))[0] ?? null,
    record: async (sent) => {
      const { key, network, signer, accountNonce, signature, hash, raw, replaced, sentAt, pricedAt } = sent
      await pool.query(RECORD, [
        ...[key, network, signer, accountNonce, signature, hash, raw, replaced, sentAt, pricedAt],
      ])
    },
    replace: async (key, old, by) =>
      (await pool.query(REPLACE, [key, old, by.hash, by.raw, by.pricedAt])).rowCount === 1,
    forget: async (key) => void (await pool.query('delete from facilitator.settlements where key = $1', [key])),
    open: (network) =>
      rowsOf('select * from facilitator.settlements where network = $1 order by account_nonce', [network]),
  }
}
