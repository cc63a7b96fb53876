import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at } from '../statement.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'
import { type Payment, paymentColumns, readPayment } from './payment-row.ts'

export interface Page {
  /** There may be more: rows of one moment are all on one page, so that the next page, which begins before it, skips none. */
  limit: number
  /** Rows created before this time only. */
  before: Date | null
}

const older = (alias: string, page: Page): SQL =>
  page.before === null ? sql`true` : sql`${sql.raw(alias)}.created_at < ${at(page.before)}`

const first = ({ limit }: Page): SQL => sql`fetch first (${limit}::int) rows with ties`

/** Narrows a list of journal rows; what is left out narrows nothing. */
export interface PaymentFilter {
  /** Lower case. */
  payer?: string
  /** Hash of a transaction, lower case, also one that settled several. */
  transaction?: string
  /** Leaves out those whose refund was noted. */
  unresolved?: boolean
  /** Only those whose authorization expired before this time. */
  expiredBefore?: Date
}

function fits({ payer, transaction, unresolved, expiredBefore }: PaymentFilter): SQL {
  const parts = [sql`true`]
  if (payer !== undefined) parts.push(sql`p.payer = ${payer}`)
  if (transaction !== undefined) parts.push(sql`split_part(p.tx_hash, '#', 1) = ${transaction}`)
  if (unresolved === true) parts.push(sql`p.resolved_at is null`)
  if (expiredBefore !== undefined)
    parts.push(sql`(p.authorization->>'validBefore')::numeric < extract(epoch from ${at(expiredBefore)})`)
  return sql.join(parts, sql` and `)
}

/** Journal rows, newest first, of one state or of any. */
export async function listPayments(
  database: Database,
  state: Payment['state'] | null,
  page: Page & PaymentFilter,
): Promise<Payment[]> {
  const where = state === null ? fits(page) : sql`${fits(page)} and p.state = ${state}::payment_state`
  const rows = await database.run(
    sql`select ${paymentColumns('p')} from payments p
    where ${where} and ${older('p', page)} order by p.created_at desc ${first(page)}`,
    { readOnly: true },
  )
  return rows.map(readPayment).filter((payment) => payment !== null)
}

/** Records, newest first, of one status or of any. */
export async function listInferences(
  database: Database,
  status: InferenceRecord['status'] | null,
  page: Page,
): Promise<InferenceRecord[]> {
  const where = status === null ? sql`true` : sql`i.status = ${status}::inference_status`
  const rows = await database.run(
    sql`select ${inferenceColumns('i')} from inferences i
    where ${where} and ${older('i', page)} order by i.created_at desc ${first(page)}`,
    { readOnly: true },
  )
  return rows.map(readInference).filter((record) => record !== null)
}
