import pg from 'pg'
import * as z from 'zod'
import * as sql from './pg-tables.ts'
import type { SettlementStore, TransactionId } from './store.ts'
import { makeTurnsOf } from './timing.ts'

const hex = z.templateLiteral(['0x', z.string()])
const bigint = z.coerce.bigint()

const entrySchema = z.object({
  key: z.string(),
  network: z.string(),
  asset: hex,
  payer: hex,
  value: bigint,
  signature: z.string(),
  gas: bigint,
  isTrial: z.boolean(),
  endedAt: z.coerce.date().nullable(),
})
const transactionSchema = z
  .object({
    network: z.string(),
    signer: z.string(),
    account_nonce: z.coerce.number(),
    gas: bigint,
    hash: hex,
    raw: hex,
    replaced: z.array(hex),
    sent_at: z.date(),
    priced_at: z.date(),
    mined_at: z.date().nullable(),
    // JSON's null would become the first date of all.
    entries: z.array(
      entrySchema.extend({ endedAt: z.iso.datetime({ offset: true }).pipe(z.coerce.date()).nullable() }),
    ),
  })
  .transform(({ account_nonce, sent_at, priced_at, mined_at, ...row }) => ({
    ...row,
    accountNonce: account_nonce,
    sentAt: sent_at,
    pricedAt: priced_at,
    minedAt: mined_at,
  }))
const inFlightSchema = z
  .object({
    ...entrySchema.pick({ key: true, asset: true, payer: true, value: true, gas: true }).shape,
    is_trial: z.boolean(),
    signer: z.string(),
    account_nonce: z.coerce.number(),
  })
  .transform(({ is_trial, account_nonce, ...row }) => ({ ...row, isTrial: is_trial, accountNonce: account_nonce }))
const standingSchema = z
  .object({
    has_reverted: z.boolean(),
    payer_reverted_at: z.date().nullable(),
    payer_lost: bigint,
    network_lost: bigint,
    trial_lost: bigint,
    credit: bigint,
  })
  .transform((row) => ({
    hasReverted: row.has_reverted,
    payerRevertedAt: row.payer_reverted_at,
    payerLost: row.payer_lost,
    networkLost: row.network_lost,
    trialLost: row.trial_lost,
    credit: row.credit,
  }))
const keySchema = z.object({ key: z.string() })
const nextSchema = z.object({ next: z.coerce.number() })

const UNIQUE_VIOLATION = '23505'
const DEADLINE_MS = 5_000
/** With the advisory lock that `inTurn` takes: any number that nothing else in this database uses. */
const TURN_LOCK = 7_402_102

export interface PgSettlementStore extends SettlementStore {
  /** Creates missing tables and columns. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/** The store in PostgreSQL: it survives the process, and several processes share it. */
export function makePgStore(databaseUrl: string): PgSettlementStore {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: DEADLINE_MS,
    query_timeout: DEADLINE_MS,
  })
  // An idle connection that the server drops: the pool has already removed it.
  pool.on('error', () => undefined)
  const query = async <T>(schema: z.ZodType<T>, text: string, values: unknown[]): Promise<T[]> =>
    z.array(schema).parse((await pool.query(text, values)).rows)
  const one = async <T>(schema: z.ZodType<T>, text: string, values: unknown[]) =>
    (await query(schema, text, values))[0] ?? null
  const inTurn = makeTurnsOf()
  const idOf = ({ network, signer, accountNonce }: TransactionId) => [network, signer, accountNonce]

  async function takenOf(keys: readonly string[]): Promise<string[]> {
    const rows = await query(keySchema, 'select key from facilitator.settlements where key = any($1)', [keys])
    return rows.map(({ key }) => key)
  }

  return {
    prepare: async () => void (await pool.query(sql.TABLES)),
    ping: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
    find: (key) => one(transactionSchema, sql.FIND, [key]),
    read: (id) => one(transactionSchema, sql.READ, idOf(id)),
    async record(sent) {
      const { entries } = sent
      const column = <T>(of: (entry: (typeof entries)[number]) => T) => entries.map(of)
      try {
        await pool.query(sql.RECORD, [
          ...idOf(sent),
          ...[sent.gas, sent.hash, sent.raw, sent.replaced, sent.sentAt, sent.pricedAt, sent.minedAt],
          ...[column(({ key }) => key), column(({ asset }) => asset), column(({ payer }) => payer)],
          ...[column(({ value }) => value), column(({ signature }) => signature), column(({ gas }) => gas)],
          ...[column(({ isTrial }) => isTrial), column(({ endedAt }) => endedAt)],
        ])
        return []
      } catch (error) {
        const isTaken = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION
        const taken = isTaken ? await takenOf(column(({ key }) => key)) : []
        if (taken.length === 0) throw error
        return taken
      }
    },
    replace: async (id, old, by) =>
      (await pool.query(sql.REPLACE, [...idOf(id), old, by.hash, by.raw, by.pricedAt])).rowCount === 1,
    async end(id, outcomes, at) {
      const rows = await query(keySchema, sql.END, [
        ...[...idOf(id), at, outcomes.map(({ key }) => key)],
        outcomes.map(({ key, isInBatch }) => (isInBatch ? `${key} in ${id.signer} ${id.accountNonce}` : key)),
        outcomes.map(({ isReverted }) => isReverted),
        outcomes.map(({ isPaid = false }) => isPaid),
        outcomes.map(({ gasUsed }) => gasUsed),
      ])
      return rows.map(({ key }) => key)
    },
    reopen: async (id) => void (await pool.query(sql.REOPEN, idOf(id))),
    discard: async (id) => void (await pool.query(sql.DISCARD, idOf(id))),
    forget: async (key, id) => void (await pool.query(sql.FORGET, [...idOf(id), key])),
    open: (network) => query(transactionSchema, sql.OPEN, [network]),
    minedFrom: (id) => query(transactionSchema, sql.MINED_FROM, idOf(id)),
    nextNonce: async ({ network, signer }) => (await one(nextSchema, sql.NEXT_NONCE, [network, signer]))?.next ?? 0,
    inFlight: (network) => query(inFlightSchema, sql.IN_FLIGHT, [network]),
    standings: (network, queries, since) =>
      query(standingSchema, sql.STANDINGS, [
        network,
        queries.map(({ key }) => key),
        queries.map(({ payer }) => payer),
        since,
      ]),
    async prune(before) {
      await pool.query(sql.PRUNE_REVERTS, [before.reverts])
      await pool.query(sql.PRUNE_CREDITS, [before.credits])
      await pool.query(sql.PRUNE_TRANSACTIONS, [before.answered, before.left])
    },
    // Within the process first: each one that waits for the lock holds a connection.
    inTurn: (network, work) => inTurn(network, () => underLock(network, work)),
  }

  async function underLock<T>(network: string, work: () => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query('select pg_advisory_lock($1, hashtext($2))', [TURN_LOCK, network])
      return await work()
    } finally {
      // Closing the connection frees the lock also where it is not known whether it was taken.
      const isFreed = await client.query('select pg_advisory_unlock($1, hashtext($2))', [TURN_LOCK, network]).then(
        () => true,
        () => false,
      )
      client.release(!isFreed)
    }
  }
}
