import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { AppEnv } from '../context.ts'
import { shortAddress } from '../log.ts'

/** One line per request: the route's pattern rather than its path, no query, no body, no header; and `Server-Timing`. */
export const accessLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now()
  await next()
  const ms = Date.now() - startedAt
  if (!c.res.headers.get('Cache-Control')?.includes('public')) c.res.headers.set('Server-Timing', `app;dur=${ms}`)
  c.var.log.info('request', {
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    ms,
    ...(c.var.session && { wallet: shortAddress(c.var.session.address) }),
  })
}
