import { Hono } from 'hono'
import * as z from 'zod'
import { makeNonce } from '../auth/nonce.ts'
import { clearSession, SESSION_SECONDS, writeSession } from '../auth/session.ts'
import { signIn } from '../auth/sign-in.ts'
import type { AppEnv } from '../context.ts'
import { jsonBody } from '../middleware/body.ts'
import { issueCsrf, requireCsrf } from '../middleware/csrf.ts'
import { cookieJar } from '../middleware/session.ts'
import { rateLimit } from '../rate-limits/enforce.ts'

const MAX_SIGNATURE_BYTES = 8192

/** Hex of whole bytes; bounded, since a contract wallet's signature may have any length. */
const signature = z
  .templateLiteral(['0x', z.string().regex(/^([0-9a-fA-F]{2})*$/)])
  .refine((text) => text.length <= 2 + 2 * MAX_SIGNATURE_BYTES, 'Too long')

export const verifyBody = z.strictObject({ message: z.string().min(1).max(8192), signature })

export const authRoutes = new Hono<AppEnv>()
  .get('/nonce', async (c) => {
    await issueCsrf(c)
    return c.json({ nonce: await makeNonce(c.var.deps.config, c.var.deps.now()) })
  })
  .post('/verify', rateLimit('verify'), requireCsrf, jsonBody(verifyBody), async (c) => {
    const { deps } = c.var
    const { session, secondsLeft } = await signIn(deps, c.req.valid('json'))
    const seconds = Math.min(secondsLeft ?? SESSION_SECONDS, SESSION_SECONDS)
    await writeSession(deps.config, cookieJar(c), c.var.origin, session, seconds)
    return c.json(session)
  })
  .get('/session', async (c) => {
    await issueCsrf(c, { onlyIfNeeded: true })
    const { session } = c.var
    return c.json({ address: session?.address ?? null, chainId: session?.chainId ?? null })
  })
  .post('/logout', requireCsrf, async (c) => {
    const { config } = c.var.deps
    await clearSession(config, cookieJar(c), c.var.origin)
    return c.body(null, 204)
  })
