import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Hex } from 'viem'
import * as z from 'zod'
import { directUrl } from '../../db/client.ts'

export interface KeyLocksOptions {
  databaseUrl: string
  /** Every key, the same list in each process. */
  addresses: readonly Hex[]
  /** This process holds that key now. */
  onTaken(address: Hex): Promise<void>
  /** Another process wants that key: resolves when this one signs with it no more. */
  onGiven(address: Hex): Promise<void>
  /** The locks are lost, and another process may take them: this process must end. */
  onLost(): void
}

export interface KeyLocks {
  /** Takes free keys up to this process's share, and returns what is above it. Returns how many it holds. */
  share(): Promise<number>
  release(): Promise<void>
}

/** Classes of advisory locks: a key that a process signs with, and a process that is there. */
const KEY_CLASS = 7_402_103
const PROCESS_CLASS = 7_402_104

/**
 * The server ends a connection that does not answer within these seconds, and with it the locks of a machine that is gone.
 */
const KEEPALIVE = `
set tcp_keepalives_idle = 2;
set tcp_keepalives_interval = 1;
set tcp_keepalives_count = 3;
set tcp_user_timeout = 5000`

const heldSchema = z.tuple([z.object({ held: z.boolean() })])
const countSchema = z.tuple([z.object({ count: z.coerce.number() })])
const COUNT = `
select count(distinct pid) as count from pg_locks
where locktype = 'advisory' and classid = $1 and objid = $2 and granted
  and database = (select oid from pg_database where datname = current_database())`

/** A positive number of 31 bits, as both halves of an advisory lock's name. */
const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1

/**
 * Shares the signing keys among processes by a session's advisory locks: two processes with one key would use the same nonces. A
 * process that ends frees its locks, and the others take them at their next `share`.
 */
export async function openKeyLocks(options: KeyLocksOptions): Promise<KeyLocks> {
  const { databaseUrl, addresses, onTaken, onGiven, onLost } = options
  const client = new pg.Client({
    connectionString: directUrl(databaseUrl).href,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  let isReleased = false
  // A lost connection causes an error event, an end event, or both.
  client.on('error', () => isReleased || onLost())
  client.on('end', () => isReleased || onLost())
  await client.connect()
  await client.query(KEEPALIVE)
  const name = numberOf(addresses.toSorted().join(' ').toLowerCase())
  await client.query('select pg_advisory_lock_shared($1, $2)', [PROCESS_CLASS, name])
  const held = new Set<Hex>()
  const lockOf = (address: Hex): [number, number] => [KEY_CLASS, numberOf(address.toLowerCase())]

  async function take(address: Hex): Promise<void> {
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as held', lockOf(address))
    if (!heldSchema.parse(rows)[0].held) return
    held.add(address)
    await onTaken(address)
  }

  async function giveBack(address: Hex): Promise<void> {
    held.delete(address)
    await onGiven(address)
    await client.query('select pg_advisory_unlock($1, $2)', lockOf(address))
  }

  return {
    async share() {
      const { rows } = await client.query(COUNT, [PROCESS_CLASS, name])
      const processes = countSchema.parse(rows)[0].count
      const fair = Math.ceil(addresses.length / Math.max(1, processes))
      for (const address of [...held].slice(fair)) await giveBack(address)
      for (const address of addresses) if (held.size < fair && !held.has(address)) await take(address)
      return held.size
    },
    async release() {
      isReleased = true
      await client.end()
    },
  }
}
