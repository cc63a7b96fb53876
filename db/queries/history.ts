import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database, Row } from '../client.ts'
import { once } from '../once.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'
import { keyedPayments, type Payment, paymentColumns, readPayment } from './payment-row.ts'

/** A place in the history: the purchase's time in microseconds, PostgreSQL's own precision, and its inference's id. */
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
  /** Purchases older than this place. */
  after?: HistoryPlace
  task?: string
  status?: string
  /** Purchases whose prompt has this text, upper or lower case. `fields` are the inputs that may hold a prompt; the first present counts. */
  search?: { text: string; fields: readonly string[] }
}

export interface HistoryPage {
  /** `record` is null while only the journal has the purchase: it is paid and has no row yet. */
  items: { record: InferenceRecord | null; payment: Payment }[]
  /** Where the next page starts; null after the last one. */
  next: HistoryPlace | null
}

/** A search reads at most this many purchases for a page, so that a page costs the same however many there are. */
export const SEARCHED_PER_PAGE = 2_000

const microsSchema = once(() => z.string().transform(BigInt))
const lastSchema = once(() => z.object({ scanned: z.number(), last_id: z.string(), last_micros: microsSchema() }))

/**
 * One page of an owner's purchases, newest first: those with a row, and those that are paid and have none yet. A purchase keeps
 * its place when its row is written. One query along two indexes. With `search` a page may have fewer items than its limit, or
 * none, and still a next page.
 */
export async function readHistory(database: Database, query: HistoryQuery): Promise<HistoryPage> {
  const { search, limit, status } = query
  const window = search === undefined ? limit + 1 : SEARCHED_PER_PAGE
  const newest = (rows: number): SQL => sql`order by created_at desc, id desc limit ${rows}::int`
  // Only a pending purchase can be without a row.
  const isUnderWayWanted = status === undefined || status === 'pending'
  const underWay = isUnderWayWanted ? sql`union all (${withoutRow(query)} ${newest(window)})` : sql``
  const statement = sql`with scanned as materialized (
      select * from ((${withRow(query)} ${newest(window)}) ${underWay}) purchases ${newest(window)}
    ), matched as (
      select id, created_at from scanned ${search === undefined ? sql`` : sql`where ${hasText(search)}`} ${newest(limit + 1)}
    ), last as (
      select id, created_at from scanned order by created_at, id limit 1
    )
    select (select count(*) from scanned)::int as scanned, last.id::text as last_id, ${micros('last')} as last_micros,
      ${micros('m')} as micros, ${paymentColumns('p')}, ${inferenceColumns('i')}
    from last left join matched m on true left join (${keyedPayments}) on k.inference_id = m.id left join inferences i on i.id = m.id
    order by m.created_at desc, m.id desc`
  const rows =
    search === undefined ? await database.run(statement, { readOnly: true }) : await searched(database, statement)
  return pageOf(rows, limit, window)
}

async function searched(database: Database, statement: SQL): Promise<Row[]> {
  const [, rows] = await database.batch([SEARCH_TIMEOUT, statement], { readOnly: true })
  return rows ?? []
}

function pageOf(rows: Row[], limit: number, window: number): HistoryPage {
  const found = rows.flatMap((row) => {
    const payment = readPayment(row)
    return payment === null
      ? []
      : [{ record: readInference(row), payment, micros: microsSchema().parse(row['micros']) }]
  })
  const items = found.slice(0, limit)
  const end = items.at(-1)
  if (found.length > limit && end) return { items, next: { micros: end.micros, id: end.payment.inferenceId } }
  const { scanned, last_id, last_micros } = lastSchema().parse(rows[0] ?? NOTHING_SCANNED)
  // The search stopped at its bound: the next page continues behind what it read.
  return { items, next: scanned === window && window > limit + 1 ? { micros: last_micros, id: last_id } : null }
}

const NOTHING_SCANNED = { scanned: 0, last_id: '', last_micros: '0' }

const micros = (table: string): SQL => sql.raw(`(extract(epoch from ${table}.created_at) * 1000000)::bigint::text`)

function withRow({ owner, chainId, after, task, status, search }: HistoryQuery): SQL {
  return sql`select i.id, i.created_at ${search === undefined ? sql`` : sql`, i.input`}
    from inferences i
    where i.user_address = ${owner} and (select ${visibleOn(chainId)} from (${keyedPayments}) where k.inference_id = i.id) ${olderThan('i.created_at, i.id', after)}
      ${task === undefined ? sql`` : sql`and i.task_type = ${task}::task_type`}
      ${status === undefined ? sql`` : sql`and i.status = ${status}::inference_status`}`
}

/** Settled, and neither ended nor outlived its call: the journal alone has it. */
function withoutRow({ owner, chainId, after, task, search }: HistoryQuery): SQL {
  return sql`select p.inference_id as id, p.created_at ${search === undefined ? sql`` : sql`, p.request -> 'input' as input`}
    from payments p
    where p.payer = ${owner} and p.state = 'settled' and ${visibleOn(chainId)} ${olderThan('p.created_at, p.inference_id', after)}
      and not exists (select 1 from inferences i where i.id = p.inference_id)
      ${task === undefined ? sql`` : sql`and p.request ->> 'task' = ${task}`}`
}

const visibleOn = (chainId: number): SQL => sql`(p.signature_recovered or p.chain_id = ${chainId}::int)`

const olderThan = (columns: string, after: HistoryPlace | undefined): SQL =>
  after === undefined
    ? sql``
    : sql`and (${sql.raw(columns)}) < (timestamptz 'epoch' + ${after.micros.toString()}::bigint * interval '1 microsecond', ${after.id}::uuid)`

/** A search reads this much of a prompt: matching a long text against a hostile one takes the product of their lengths. */
const SEARCHED_LETTERS = 1_000
/** A search that takes longer is cancelled. */
const SEARCH_TIMEOUT = sql`set local statement_timeout = '1s'`

/** True if the start of a scanned purchase's prompt has the text; `%`, `_` and a backslash are matched literally. */
function hasText({ text, fields }: NonNullable<HistoryQuery['search']>): SQL {
  const values = fields.map((field) => sql`scanned.input ->> ${field}::text`)
  return sql`left(coalesce(${sql.join(values, sql`, `)}), ${SEARCHED_LETTERS}::int) ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}
