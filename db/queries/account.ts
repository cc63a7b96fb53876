import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'

const rowSchema = z.object({ chain_id: z.number(), asset: z.string(), amount: z.string().transform(BigInt) })

/** What a payer has paid per asset. */
export interface Spent {
  chainId: number
  /** Lower case. */
  asset: string
  /** Atomic units of the asset. */
  amountAtomic: bigint
}

/** Sums of a wallet's settled payments (lower-case address), whatever became of the run. One indexed query. */
export async function readSpent(database: Database, payer: string): Promise<Spent[]> {
  const rows = await database.run(
    sql`select chain_id, asset, sum(amount)::text as amount from payments
    where payer = ${payer} and state in ('settled', 'done', 'owed') group by chain_id, asset`,
    { readOnly: true },
  )
  return rows.map((row) => {
    const { chain_id, asset, amount } = rowSchema.parse(row)
    return { chainId: chain_id, asset, amountAtomic: amount }
  })
}
