import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { callerOf, requireSession } from '../middleware/session.ts'
import { issueReceipt } from '../receipts/receipt.ts'

/** `GET /api/inference/:id/receipt`: what was paid and what was delivered, signed by the service, for its buyer. */
export const receiptRoutes = new Hono<AppEnv>().get('/:id/receipt', requireSession, async (c) =>
  c.json(await issueReceipt(c.var.deps, callerOf(c), c.req.param('id'))),
)
