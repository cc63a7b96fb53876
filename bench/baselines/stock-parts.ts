import { zValidator } from '@hono/zod-validator'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { csrf } from 'hono/csrf'
import { logger } from 'hono/logger'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { getIronSession } from 'iron-session'
import * as z from 'zod'
import type { BaselineEnv } from './x402.ts'

export interface StockBindings extends BaselineEnv {
  SESSION_SECRET: string
}
export type StockEnv = { Bindings: StockBindings & Record<string, string>; Variables: { wallet: string } }

const bodySchema = z.strictObject({
  task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
  model: z.string().min(1).max(200),
  input: z.strictObject({
    prompt: z.string().trim().min(1).max(10_000),
    num_outputs: z.int().min(1).max(4).default(1),
    output_format: z.enum(['webp', 'jpg', 'png']).default('webp'),
  }),
})

/** The session's cookie, opened for each call: iron-session keeps nothing between calls. */
const requireSession: MiddlewareHandler<StockEnv> = async (c, next) => {
  const jar = {
    read: (name: string) => getCookie(c, name),
    names: () => Object.keys(getCookie(c)),
    write: (name: string, value: string) => setCookie(c, name, value),
  }
  const session = await getIronSession<{ address?: string }>(jar, {
    cookieName: 'session',
    password: c.env.SESSION_SECRET,
  })
  if (session.address === undefined) return c.json({ error: 'sign in' }, 401)
  c.set('wallet', session.address)
  return next()
}

/** Compares the token with the cookie; hono/csrf looks at `Origin` alone. */
const requireToken: MiddlewareHandler<StockEnv> = async (c, next) => {
  if (c.req.header('x-csrf-token') !== getCookie(c, 'csrf')) return c.json({ error: 'csrf' }, 403)
  return next()
}

/** The route's body, checked. */
export const checkBody = zValidator('json', bodySchema)

/** The usual parts around every call of a product, as Hono's users would take them. */
export function stockApp(): Hono<StockEnv> {
  const app = new Hono<StockEnv>()
  app.use(
    requestId(),
    logger(),
    secureHeaders(),
    csrf({ origin: (origin: string, c: Context) => origin === new URL(c.req.url).origin }),
  )
  app.use(requireSession, requireToken)
  return app
}
