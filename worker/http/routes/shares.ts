import { Hono, type MiddlewareHandler } from 'hono'
import { ownShare, sharedResult, shareInference, takeBackShare } from '../../domain/purchase/share.ts'
import type { AppEnv } from '../context.ts'
import { jsonBody } from '../middleware/body.ts'
import { assertCsrf } from '../middleware/csrf.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'
import { shareBody } from '../openapi/requests.ts'

/** Middleware: the call is made by its caller. A cookie alone could be sent by another site's page; a proof in a header cannot. */
const requireOwnCall: MiddlewareHandler<AppEnv> = async (c, next) => {
  callerOf(c)
  if (c.get('proof') === null) assertCsrf(c)
  await next()
}

/** The owner's calls on the share of an inference, below `/api/inference`. */
export const ownShareRoutes = new Hono<AppEnv>()
  .get('/:id/share', requireSessionOrChallenge, async (c) =>
    c.json(await ownShare(c.get('deps'), callerOf(c), c.req.param('id'))),
  )
  .put('/:id/share', requireOwnCall, jsonBody(shareBody), async (c) => {
    const { showsPrompt } = c.req.valid('json')
    return c.json(await shareInference(c.get('deps'), callerOf(c), c.req.param('id'), showsPrompt))
  })
  .delete('/:id/share', requireOwnCall, async (c) => {
    await takeBackShare(c.get('deps'), callerOf(c), c.req.param('id'))
    return c.body(null, 204)
  })

/** The call of anyone with the link of a share. No search engine keeps the answer. */
export const sharesRoutes = new Hono<AppEnv>().get('/:id', rateLimit('models'), async (c) =>
  c.json(await sharedResult(c.get('deps'), c.req.param('id')), 200, { 'X-Robots-Tag': 'noindex' }),
)
