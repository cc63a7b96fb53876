import pg from 'pg'
import * as z from 'zod'
import { makeTogether, makeTurnsOf } from '../timing.ts'
import { historySchema, inFlightSchema, keySchema, nextSchema, transactionSchema } from './pg-rows.ts'
import * as sql from './pg-tables.ts'
import type { Outcome, SentTransaction, SettlementStore, TransactionId } from './store.ts'

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
  const pool = openPool(databaseUrl)
  const inTurn = makeTurnsOf()
  const find = makeTogether((keys: string[]) => findAll(pool, keys))
  const forget = makeTogether((entries: PlacedEntry[]) => forgetAll(pool, entries))

  return {
    prepare: async () => void (await pool.query(sql.TABLES)),
    ping: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
    find,
    read: (id) => one(pool, transactionSchema, sql.READ, idOf(id)),
    record: (sent) => record(pool, sent),
    replace: async (id, old, by) =>
      (await pool.query(sql.REPLACE, [...idOf(id), old, by.hash, by.raw, by.pricedAt])).rowCount === 1,
    end: (id, outcomes, at) => end(pool, id, outcomes, at),
    reopen: async (id) => void (await pool.query(sql.REOPEN, idOf(id))),
    discard: async (id) => void (await pool.query(sql.DISCARD, idOf(id))),
    forget: async (key, id) => void (await forget({ key, ...id })),
    open: (network) => query(pool, transactionSchema, sql.OPEN, [network]),
    minedFrom: (id) => query(pool, transactionSchema, sql.MINED_FROM, idOf(id)),
    nextNonce: async ({ network, signer }) =>
      (await one(pool, nextSchema, sql.NEXT_NONCE, [network, signer]))?.next ?? 0,
    inFlight: (network) => query(pool, inFlightSchema, sql.IN_FLIGHT, [network]),
    histories: (network, queries, since) =>
      query(pool, historySchema, sql.HISTORIES, [
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
    inTurn: (network, work) => inTurn(network, () => underLock(pool, network, work)),
  }
}

const idOf = ({ network, signer, accountNonce }: TransactionId) => [network, signer, accountNonce]

function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: DEADLINE_MS,
    query_timeout: DEADLINE_MS,
  })
  // An idle connection that the server drops: the pool has already removed it.
  pool.on('error', () => undefined)
  return pool
}

async function query<T>(pool: pg.Pool, schema: z.ZodType<T>, text: string, values: unknown[]): Promise<T[]> {
  return z.array(schema).parse((await pool.query(text, values)).rows)
}

async function one<T>(pool: pg.Pool, schema: z.ZodType<T>, text: string, values: unknown[]): Promise<T | null> {
  return (await query(pool, schema, text, values))[0] ?? null
}

/** The transaction of each of these entries; null where there is none. */
async function findAll(pool: pg.Pool, keys: readonly string[]): Promise<(SentTransaction | null)[]> {
  const found = await query(pool, transactionSchema, sql.FIND, [keys])
  const byKey = new Map(found.flatMap((sent) => sent.entries.map(({ key }) => [key, sent] as const)))
  return keys.map((key) => byKey.get(key) ?? null)
}

interface PlacedEntry extends TransactionId {
  key: string
}

async function forgetAll(pool: pg.Pool, entries: readonly PlacedEntry[]): Promise<true[]> {
  await pool.query(sql.FORGET, [
    entries.map(({ network }) => network),
    entries.map(({ signer }) => signer),
    entries.map(({ accountNonce }) => accountNonce),
    entries.map(({ key }) => key),
  ])
  return entries.map(() => true)
}

async function record(pool: pg.Pool, sent: SentTransaction): Promise<readonly string[]> {
  const { entries } = sent
  const keys = entries.map(({ key }) => key)
  const column = <T>(of: (entry: (typeof entries)[number]) => T) => entries.map(of)
  try {
    await pool.query(sql.RECORD, [
      ...idOf(sent),
      ...[sent.gas, sent.hash, sent.raw, sent.replaced, sent.sentAt, sent.pricedAt, sent.minedAt],
      ...[keys, column(({ asset }) => asset), column(({ payer }) => payer)],
      ...[column(({ value }) => value), column(({ signature }) => signature), column(({ gas }) => gas)],
      ...[column(({ isTrial }) => isTrial), column(({ endedAt }) => endedAt)],
    ])
    return []
  } catch (error) {
    const isTaken = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION
    const taken = isTaken ? await takenOf(pool, keys) : []
    if (taken.length === 0) throw error
    return taken
  }
}

async function takenOf(pool: pg.Pool, keys: readonly string[]): Promise<string[]> {
  const rows = await query(pool, keySchema, 'select key from facilitator.settlements where key = any($1)', [keys])
  return rows.map(({ key }) => key)
}

async function end(
  pool: pg.Pool,
  id: TransactionId,
  outcomes: readonly Outcome[],
  at: Date,
): Promise<readonly string[]> {
  const rows = await query(pool, keySchema, sql.END, [
    ...[...idOf(id), at, outcomes.map(({ key }) => key)],
    outcomes.map(({ key, isInBatch }) => (isInBatch ? `${key} in ${id.signer} ${id.accountNonce}` : key)),
    outcomes.map(({ isReverted }) => isReverted),
    outcomes.map(({ isBlameless = false }) => isBlameless),
    outcomes.map(({ gasUsed }) => gasUsed),
  ])
  return rows.map(({ key }) => key)
}

async function underLock<T>(pool: pg.Pool, network: string, work: () => Promise<T>): Promise<T> {
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
