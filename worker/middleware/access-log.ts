import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { AppEnv } from '../context.ts'
import { shortAddress } from '../log.ts'

/** One line per request: the route's pattern rather than its path, no query, no body, no header. */
export const accessLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now()
  await next()
  c.var.log.info('request', {
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    ms: Date.now() - startedAt,
    ...(c.var.session && { wallet: shortAddress(c.var.session.address) }),
  })
}
