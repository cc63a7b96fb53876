import { Hono } from 'hono'
import { makeNonce } from '../../domain/auth/nonce.ts'
import { clearSession, SESSION_SECONDS, writeSession } from '../../domain/auth/session.ts'
import { signIn } from '../../domain/auth/sign-in.ts'
import type { AppEnv } from '../context.ts'
import { jsonBody } from '../middleware/body.ts'
import { issueCsrf, requireCsrf } from '../middleware/csrf.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { cookieJar } from '../middleware/session.ts'
import { signInBody } from '../openapi/requests.ts'

export const authRoutes = new Hono<AppEnv>()
  .get('/nonce', async (c) => {
    issueCsrf(c)
    return c.json({ nonce: makeNonce(c.var.deps.config, c.var.deps.now()) })
  })
  .post('/verify', rateLimit('verify'), requireCsrf, jsonBody(signInBody), async (c) => {
    const { deps } = c.var
    const { session, secondsLeft } = await signIn(deps, c.req.valid('json'))
    const seconds = Math.min(secondsLeft ?? SESSION_SECONDS, SESSION_SECONDS)
    await writeSession(deps.config, cookieJar(c), c.var.origin, session, seconds)
    return c.json(session)
  })
  .get('/session', async (c) => {
    issueCsrf(c, { onlyIfNeeded: true })
    const { session } = c.var
    return c.json({ address: session?.address ?? null, chainId: session?.chainId ?? null })
  })
  .post('/logout', requireCsrf, async (c) => {
    const { config } = c.var.deps
    await clearSession(config, cookieJar(c), c.var.origin)
    return c.body(null, 204)
  })
