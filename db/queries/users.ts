import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { once } from '../once.ts'
import { at } from '../statement.ts'

/**
 * Uses a sign-in nonce up and writes the user, in one statement. False when the nonce was used before: then nothing is written.
 * `address` is lower case; `created_at` is set at the first sign-in only.
 */
export async function useNonceAndSeeUser(
  database: Database,
  signIn: { nonce: string; address: string; now: Date },
): Promise<boolean> {
  const now = at(signIn.now)
  const rows = await database.run(sql`with used as (
      insert into used_nonces (nonce, used_at) values (${signIn.nonce}, ${now}) on conflict do nothing returning nonce
    )
    insert into users (address, created_at, last_seen_at) select ${signIn.address}, ${now}, ${now} from used
    on conflict (address) do update set last_seen_at = excluded.last_seen_at
    returning address`)
  return rows.length === 1
}

const spentRow = once(() => z.object({ chain_id: z.number(), asset: z.string(), amount: z.string().transform(BigInt) }))

/** A payer's total per asset. */
export interface Spent {
  chainId: number
  /** Lower case. */
  asset: string
  /** Atomic units of the asset. */
  amountAtomic: bigint
}

/**
 * Sums of a wallet's settled payments, whatever became of the run; those of a contract wallet count on the session's chain only.
 * `payer` is lower case. One indexed query.
 */
export async function readSpent(database: Database, payer: string, chainId: number): Promise<Spent[]> {
  const rows = await database.run(
    sql`select chain_id, asset, sum(amount)::text as amount from payments
    where payer = ${payer} and state in ('settled', 'done', 'owed')
      and (signature_recovered or chain_id = ${chainId}::int) group by chain_id, asset`,
    { readOnly: true },
  )
  return rows.map((row) => {
    const { chain_id, asset, amount } = spentRow().parse(row)
    return { chainId: chain_id, asset, amountAtomic: amount }
  })
}
