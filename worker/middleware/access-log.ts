import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { AppEnv } from '../context.ts'
import { shortAddress } from '../log.ts'
import { serverTiming } from '../metrics/timings.ts'

/**
 * One line per request with the milliseconds it waited for each peer: the route's pattern rather than its path, no query, no
 * body, no header. The same times go out as `Server-Timing`, but for answers that shared caches may keep.
 */
export const accessLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now()
  await next()
  const ms = Date.now() - startedAt
  const spent: ReadonlyMap<string, number> = c.get('timings')?.spent() ?? new Map()
  if (!c.res.headers.get('Cache-Control')?.includes('public')) {
    c.res.headers.set('Server-Timing', serverTiming(ms, spent))
  }
  const session = c.get('session')
  c.get('log').info('request', {
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    ms,
    ...(spent.size > 0 && { peers: Object.fromEntries(spent) }),
    ...(session && { wallet: shortAddress(session.address) }),
  })
}
