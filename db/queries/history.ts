import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'
import { type Payment, paymentColumns, readPayment } from './payment-row.ts'

/** A place in the history: the row's time in microseconds, PostgreSQL's own precision, and its id. */
export interface HistoryPlace {
  micros: bigint
  id: string
}

export interface HistoryQuery {
  /** Lower case. */
  owner: string
  /** The session's chain: purchases of contract wallets are shown on theirs only. */
  chainId: number
  limit: number
  /** Rows older than this place. */
  after?: HistoryPlace
  task?: string
  status?: string
}

export interface HistoryPage {
  items: { record: InferenceRecord; payment: Payment }[]
  /** Place of the last item when there are more. */
  next: HistoryPlace | null
}

const microsSchema = z.string().transform(BigInt)

/** One page of an owner's purchases, newest first: one query along an index, whatever the page. */
export async function readHistory(database: Database, query: HistoryQuery): Promise<HistoryPage> {
  const { after, task, status } = query
  const older = after
    ? sql`and (i.created_at, i.id) < (timestamptz 'epoch' + ${after.micros.toString()}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : sql``
  const rows = await database.run(
    sql`select ${inferenceColumns('i')}, ${paymentColumns('p')},
      (extract(epoch from i.created_at) * 1000000)::bigint::text as micros
    from inferences i join payments p on p.inference_id = i.id
    where i.user_address = ${query.owner} and (p.signature_recovered or p.chain_id = ${query.chainId}::int) ${older}
      ${task === undefined ? sql`` : sql`and i.task_type = ${task}::task_type`}
      ${status === undefined ? sql`` : sql`and i.status = ${status}::inference_status`}
    order by i.created_at desc, i.id desc limit ${query.limit + 1}::int`,
    { readOnly: true },
  )
  const found = rows.map((row) => ({
    record: readInference(row),
    payment: readPayment(row),
    micros: microsSchema.parse(row['micros']),
  }))
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    items: page.flatMap(({ record, payment }) => (record === null || payment === null ? [] : [{ record, payment }])),
    next: found.length > page.length && last?.record ? { micros: last.micros, id: last.record.id } : null,
  }
}
