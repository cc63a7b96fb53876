import { Hono } from 'hono'
import * as z from 'zod'
import { type HistoryPage, type HistoryPlace, readHistory } from '../../db/queries/history.ts'
import { inferenceStatus, taskType } from '../../db/schema/inferences.ts'
import type { AppEnv } from '../context.ts'
import { resultBody } from '../inference/present.ts'
import { fromBase64, toBase64Url } from '../keys.ts'
import { query } from '../middleware/body.ts'
import { callerOf, requireSession } from '../middleware/session.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

const placePattern = /^(\d{1,17})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** A cursor is the place of the last row seen, in base64url so that nobody builds on what is in it. */
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
})

const present = ({ record, payment }: HistoryPage['items'][number]) => ({
  ...resultBody(payment, record),
  task: record.task,
  model: record.model,
  createdAt: record.createdAt.toISOString(),
  completedAt: record.completedAt?.toISOString() ?? null,
})

export const inferencesRoutes = new Hono<AppEnv>().get('/', requireSession, query(historyQuery), async (c) => {
  const session = callerOf(c)
  const { limit = DEFAULT_LIMIT, cursor: after, task, status } = c.req.valid('query')
  const page = await readHistory(c.var.deps.database, {
    owner: session.address.toLowerCase(),
    chainId: session.chainId,
    limit,
    ...(after && { after }),
    ...(task && { task }),
    ...(status && { status }),
  })
  return c.json({ items: page.items.map(present), nextCursor: page.next === null ? null : encodeCursor(page.next) })
})
