import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { readHistory } from '../../../db/queries/history.ts'
import { PROMPT_FIELDS } from '../../domain/models/catalogue.ts'
import { paymentsCsv } from '../../domain/purchase/views/payments-csv.ts'
import { historyItem } from '../../domain/purchase/views/present.ts'
import { inSlot, streamInSlot } from '../../domain/rate-limits/read-costs.ts'
import type { AppEnv } from '../context.ts'
import { query } from '../middleware/body.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'
import { encodeCursor, HISTORY_ROWS, historyQuery } from '../openapi/requests.ts'

/** Whose purchases are asked for, and which of them. */
function asked(c: Context<AppEnv>, { cursor: after, task, status, q }: z.output<ReturnType<typeof historyQuery>>) {
  const { address, chainId } = callerOf(c)
  return {
    owner: address.toLowerCase(),
    chainId,
    ...(after && { after }),
    ...(task && { task }),
    ...(status && { status }),
    ...(q && { search: { text: q, fields: PROMPT_FIELDS } }),
  }
}

type WithQuery = { out: { query: z.output<ReturnType<typeof historyQuery>> } }

/** Middleware: the same list as a file, for who asks for CSV. */
const csvIfAsked: MiddlewareHandler<AppEnv, '/', WithQuery> = async (c, next) => {
  const query = c.req.valid('query')
  if (query.format !== 'csv') return next()
  const { deps } = c.var
  const wanted = { ...asked(c, query), ...(query.limit && { limit: query.limit }) }
  const rows = await streamInSlot(deps, 'csv', callerOf(c).address, async (keep) =>
    keep(await paymentsCsv(deps, wanted)),
  )
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
    const { deps } = c.var
    const kind = wanted.q === undefined ? 'history' : 'search'
    const page = await inSlot(deps, kind, callerOf(c).address, () =>
      readHistory(deps.database, { ...asked(c, wanted), limit: wanted.limit ?? HISTORY_ROWS }),
    )
    return c.json({
      items: page.items.map(historyItem),
      nextCursor: page.next === null ? null : encodeCursor(page.next),
    })
  },
)
