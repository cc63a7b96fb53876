import { type Context, Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { type HistoryPage, type HistoryPlace, readHistory } from '../../db/queries/history.ts'
import { inferenceStatus, taskType } from '../../db/schema/columns.ts'
import type { AppEnv } from '../context.ts'
import { paymentsCsv } from '../inference/views/payments-csv.ts'
import { resultBody } from '../inference/views/present.ts'
import { fromBase64, toBase64Url } from '../lib/base64.ts'
import { query } from '../middleware/body.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

const placePattern = /^(\d{1,17})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** A cursor is the place of the last row seen, in base64url, so that its content stays ours to change. */
const encodeCursor = ({ micros, id }: HistoryPlace): string => toBase64Url(new TextEncoder().encode(`${micros}.${id}`))

function decodeCursor(cursor: string): HistoryPlace | null {
  const bytes = fromBase64(cursor)
  const [, micros, id] = placePattern.exec(bytes === null ? '' : new TextDecoder().decode(bytes)) ?? []
  return micros === undefined || id === undefined ? null : { micros: BigInt(micros), id }
}

const cursor = z.string().transform((text, context): HistoryPlace => {
  const place = decodeCursor(text)
  if (place !== null) return place
  context.addIssue('Not a cursor of this list')
  return z.NEVER
})

const limitMessage = `An integer from 1 to ${MAX_LIMIT}`

export const historyQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, limitMessage)
    .transform(Number)
    .refine((limit) => limit <= MAX_LIMIT, limitMessage)
    .optional(),
  cursor: cursor.optional(),
  task: z.enum(taskType.enumValues).optional(),
  status: z.enum(inferenceStatus.enumValues).optional(),
  /** `csv`: all of them in one file. */
  format: z.enum(['json', 'csv']).optional(),
})

const present = ({ record, payment }: HistoryPage['items'][number]) => ({
  ...resultBody(payment, record),
  task: record.task,
  model: record.model,
  createdAt: record.createdAt.toISOString(),
  completedAt: record.completedAt?.toISOString() ?? null,
})

/** Whose purchases are asked for, and which of them. */
function asked(c: Context<AppEnv>, { cursor: after, task, status }: z.output<typeof historyQuery>) {
  const { address, chainId } = callerOf(c)
  return {
    owner: address.toLowerCase(),
    chainId,
    ...(after && { after }),
    ...(task && { task }),
    ...(status && { status }),
  }
}

type WithQuery = { out: { query: z.output<typeof historyQuery> } }

/** Middleware: the same list as a file, for who asks for CSV. */
const csvIfAsked: MiddlewareHandler<AppEnv, '/', WithQuery> = async (c, next) => {
  const query = c.req.valid('query')
  if (query.format !== 'csv') return next()
  const { deps } = c.var
  const rows = await paymentsCsv(deps, { ...asked(c, query), ...(query.limit && { limit: query.limit }) })
  return c.body(rows, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="coinslot-payments-${deps.now().toISOString().slice(0, 10)}.csv"`,
  })
}

export const inferencesRoutes = new Hono<AppEnv>().get(
  '/',
  requireSessionOrChallenge,
  query(historyQuery),
  csvIfAsked,
  async (c) => {
    const wanted = c.req.valid('query')
    const page = await readHistory(c.var.deps.database, { ...asked(c, wanted), limit: wanted.limit ?? DEFAULT_LIMIT })
    return c.json({ items: page.items.map(present), nextCursor: page.next === null ? null : encodeCursor(page.next) })
  },
)
