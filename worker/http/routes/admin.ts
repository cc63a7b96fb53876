import { Hono, type MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { listInferences, listPayments } from '../../../db/queries/admin.ts'
import { isAdmin } from '../../domain/auth/contract-account.ts'
import { inferenceForAdmin, paymentForAdmin } from '../../domain/purchase/views/admin-view.ts'
import { readMetrics } from '../../domain/stats/metrics.ts'
import { AppError } from '../../errors.ts'
import type { AppEnv } from '../context.ts'
import { query } from '../middleware/body.ts'
import { callerOf } from '../middleware/session.ts'
import { adminInferencesQuery, adminPaymentsQuery, OPERATOR_ROWS } from '../openapi/requests.ts'

const pageOf = ({
  limit = OPERATOR_ROWS,
  before,
}: Pick<z.output<ReturnType<typeof adminPaymentsQuery>>, 'limit' | 'before'>) => ({
  limit,
  before: before === undefined ? null : new Date(before),
})

/** Middleware: 403 `not_admin` unless the session is one of `ADMIN_ADDRESSES`. */
const requireAdmin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const admin = await isAdmin(c.var.deps, callerOf(c))
  if (admin === null) {
    throw new AppError('not_admin', {
      detail: 'This wallet could not be read from the chain; try again in a moment.',
      nextAction: 'wait_and_retry',
      retryAfterSeconds: 5,
    })
  }
  if (!admin) throw new AppError('not_admin')
  await next()
}

/** Paid and undelivered purchases, for an operator to look at and to refund by hand. No prompts, no outputs, no signatures. */
export const adminRoutes = new Hono<AppEnv>()
  .get('/payments', requireAdmin, query(adminPaymentsQuery), async (c) => {
    const asked = c.req.valid('query')
    const payments = await listPayments(c.var.deps.database, asked.state ?? null, pageOf(asked))
    return c.json({ items: payments.map(paymentForAdmin) })
  })
  .get('/inferences', requireAdmin, query(adminInferencesQuery), async (c) => {
    const asked = c.req.valid('query')
    const records = await listInferences(c.var.deps.database, asked.status ?? null, pageOf(asked))
    return c.json({ items: records.map(inferenceForAdmin) })
  })
  .get('/metrics', requireAdmin, async (c) => c.json(await readMetrics(c.var.deps)))
