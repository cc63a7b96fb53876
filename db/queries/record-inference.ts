import { sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { json } from '../statement.ts'
import type { Tokens } from './inference-row.ts'
import { isPayment, type Payment, type PaymentRef } from './payment-row.ts'

/** The output of a run, as it is stored. */
export type OutputData = { text: string; tokens?: Tokens } | { urls: string[] }

/** How a run ended. `predictTimeMs` is an integer of milliseconds, null when the provider did not say. */
export type Outcome =
  | {
      status: 'succeeded'
      outputData: OutputData
      /** SHA-256 of each file, 64 hex digits, null where it is not known; null for a text. */
      outputDigests: (string | null)[] | null
      predictTimeMs: number | null
      actualCostUsdc: string | null
    }
  | { status: 'failed'; error: { code: string; detail: string } }

interface RunOf {
  payment: Payment
  outputType: string
  now: Date
}

async function record(
  database: Database,
  { payment, outputType, now }: RunOf,
  outcome: Outcome | null,
): Promise<boolean> {
  const { id, createdAt, predictionId } = payment
  const call = json({ id, createdAt, predictionId, outputType, now, outcome })
  const [row] = await database.run(sql`select record_inference_1(${call}) as answer`)
  return row?.['answer'] === true
}

/**
 * Step 6 of the specification: the final row, the journal's end with its run's id, and the running sums, in one call. A
 * second writer, or the outcome of another run than the tied one, changes nothing. Returns true when this call ended the purchase.
 */
export const recordOutcome = (
  database: Database,
  { outcome, ...run }: RunOf & { outcome: Outcome },
): Promise<boolean> => record(database, run, outcome)

/** The `pending` row of a purchase that outlives its call. Harmless when there is a row, or the payment is not settled. */
export const recordPending = async (database: Database, run: RunOf): Promise<void> =>
  void (await record(database, run, null))

/** Keeps the digests of a purchase's stored files, found when its receipt was first asked for. The files never change. */
export async function keepDigests(database: Database, payment: PaymentRef, digests: readonly string[]): Promise<void> {
  await database.run(sql`update payments p set output_digests = ${json(digests)}
    where ${isPayment('p', payment)} and p.state = 'done'`)
}
