import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'

const rowSchema = z.object({ amount: z.string().transform(BigInt) })

/**
 * All of `asset` that settled payments on a chain have brought in so far, atomic units. The dev chain's payments without a
 * facilitator have an id in place of a hash and moved nothing.
 */
export async function readReceived(database: Database, chainId: number, asset: string): Promise<bigint> {
  const [row] = await database.run(
    sql`select coalesce(sum(amount), 0)::text as amount from payments
      where chain_id = ${chainId}::int and asset = ${asset.toLowerCase()}
        and state in ('settled', 'done', 'owed') and tx_hash like '0x%'`,
    { readOnly: true },
  )
  return rowSchema.parse(row).amount
}
