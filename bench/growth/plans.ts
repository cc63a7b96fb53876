import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'

/**
 * Tables that grow with the number of purchases, read as a whole; the running sums have a row per model, day and asset. A month of
 * the journal that is still empty costs next to nothing.
 */
const GROWING =
  /Seq Scan on (inferences|payments|payment_keys|users|paid_rates|used_nonces)\w*(?: \w+)?\s+\(cost=[\d.]+\.\.(?!0\.\d\d )/

/** PostgreSQL's plans of every statement that `work` would run on the database. Nothing is executed. */
export async function plansOf(database: Database, work: (explaining: Database) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const explain = async (statement: SQL): Promise<[]> => {
    const rows = await database.run(sql`explain ${statement}`)
    plans.push(rows.map((row) => String(row['QUERY PLAN'])).join('\n'))
    return []
  }
  const explaining: Database = {
    run: explain,
    async batch(statements) {
      const results: [][] = []
      for (const statement of statements) results.push(await explain(statement))
      return results
    },
  }
  // The query's handling of no rows does not matter here.
  await work(explaining).catch(() => undefined)
  if (plans.length === 0) throw new Error('no statement was run')
  return plans
}

export const hasSequentialScan = (plan: string): boolean => GROWING.test(plan)
