import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { AppEnv } from '../context.ts'
import { shortAddress } from '../lib/log.ts'

/**
 * The line of an answered request, with the milliseconds it took and waited for each upstream: the route's pattern rather than its
 * path, no query, no body, no header.
 */
export function logRequest(c: Context<AppEnv>, ms: number, spent: ReadonlyMap<string, number>): void {
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
