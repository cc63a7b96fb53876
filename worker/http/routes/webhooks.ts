import { Hono } from 'hono'
import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { driveIfStuck } from '../../domain/purchase/jobs/reconcile.ts'
import { correlationId } from '../../domain/purchase/steps/find-prediction.ts'
import { AppError } from '../../errors.ts'
import { verifyWebhook } from '../../upstreams/provider/webhook.ts'
import type { AppEnv } from '../context.ts'
import { whole } from '../middleware/body.ts'

/** Ids of runs are letters and digits; PostgreSQL takes no NUL. */
const hintSchema = once(() => z.object({ id: z.string().regex(/^[!-~]{1,200}$/) }))

/**
 * `POST /api/webhooks/model-provider`: a hint that a run moved on. Nothing in it is believed: the purchase it names is looked at,
 * and its outcome fetched from the provider. Answers at once; duplicates are harmless.
 */
export const webhookRoutes = new Hono<AppEnv>().post('/model-provider', async (c) => {
  const { deps } = c.var
  const secret = deps.config.provider.webhookSecret
  if (secret === undefined) throw new AppError('not_found')
  const raw = await whole(c.req.text())
  if (!(await verifyWebhook(secret, c.req.raw.headers, raw, deps.now()))) throw new AppError('invalid_signature')
  const hint = hintSchema().safeParse(parse(raw))
  if (!hint.success) throw new AppError('invalid_request')
  const by = correlationId(c.req.url)
  const options = { untouchedSince: deps.now(), hint: hint.data.id }
  const inferenceId = z.uuid().safeParse(by)
  deps.waitUntil(
    driveIfStuck(
      deps,
      inferenceId.success ? { inferenceId: inferenceId.data } : { predictionId: hint.data.id },
      options,
    ),
  )
  return c.body(null, 204)
})

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    throw new AppError('invalid_json')
  }
}
