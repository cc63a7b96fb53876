import { type HistoryPage, type HistoryQuery, readHistory } from '../../../../db/queries/history.ts'
import type { RequestDeps } from '../../deps.ts'
import { promptOf } from '../../models/catalogue.ts'
import { historyItem } from './present.ts'

const PAGE = 100

type Item = HistoryPage['items'][number]

type Cell = (shown: ReturnType<typeof historyItem>, item: Item) => string | number | null

/** Name and value of each column, in order. Add new ones at the end: spreadsheets refer to columns by position. */
const COLUMNS: readonly (readonly [string, Cell])[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => createdAt],
  ['completed_at', ({ completedAt }) => completedAt],
  ['status', ({ status }) => status],
  ['task', ({ task }) => task],
  ['model', ({ model }) => model],
  ['prompt', (_shown, { payment }) => promptOf(payment.request.model, payment.request.input)],
  ['payment_network', ({ metrics }) => metrics.paymentNetwork],
  ['payment_asset', ({ metrics }) => metrics.paymentAsset],
  ['payment_amount', ({ metrics }) => metrics.paymentAmount],
  ['payment_tx_hash', ({ metrics }) => metrics.paymentTxHash],
  ['estimated_cost_usdc', ({ metrics }) => metrics.estimatedCostUsdc],
  ['actual_cost_usdc', ({ metrics }) => metrics.actualCostUsdc],
  ['estimated_seconds', ({ metrics }) => metrics.estimatedSeconds],
  ['predict_time_ms', ({ metrics }) => metrics.predictTimeMs],
  ['discount_pct', (_shown, { payment }) => payment.terms.discountPct],
  ['effective_rate_usdc', (_shown, { payment }) => payment.terms.effectiveRateUsdc],
  ['error', ({ error }) => error?.code ?? null],
  ['refund', ({ refund }) => refund?.status ?? null],
  ['refund_tx_hash', ({ refund }) => refund?.transaction ?? null],
]

function lineOf(item: Item): string {
  const shown = historyItem(item)
  return csvLine(COLUMNS.map(([, read]) => read(shown, item)))
}

/**
 * A caller's purchases as CSV, newest first, a page of rows at a time so that any number of them fits in memory; `limit`
 * rows at most, all of them without one. The first page is read at once: throws `DatabaseUnavailable` then, and breaks the
 * stream off later, so that a cut file is never taken for a whole one.
 */
export async function paymentsCsv(
  { database }: Pick<RequestDeps, 'database'>,
  query: Omit<HistoryQuery, 'limit'> & { limit?: number },
): Promise<ReadableStream<Uint8Array>> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  const read = async (after: HistoryQuery['after']): Promise<HistoryPage> => {
    const page = await readHistory(database, { ...query, limit: Math.min(PAGE, left), ...(after && { after }) })
    left -= page.items.length
    return page
  }
  const encoder = new TextEncoder()
  let page: HistoryPage | null = await read(query.after)
  let head = csvLine(COLUMNS.map(([name]) => name))
  return new ReadableStream({
    async pull(controller) {
      if (page === null) return controller.close()
      controller.enqueue(encoder.encode(head + page.items.map(lineOf).join('')))
      head = ''
      page = page.next === null || left <= 0 ? null : await read(page.next)
    },
  })
}

/** Spreadsheets take a cell that starts so for a formula, and run it. */
const FORMULA = /^[=+\-@\t\r\n|%＝＋－＠]/

/**
 * One line of CSV as RFC 4180 has it. A text that a spreadsheet would run as a formula gets an apostrophe before it, which
 * spreadsheets hide.
 *
 * @example csvLine(['a "b"', null, '=1+1']) // '"a ""b""",,\'=1+1\r\n'
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
