import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { RequestDeps } from '../../domain/deps.ts'
import { shortAddress } from '../../lib/log.ts'
import type { AppEnv } from '../context.ts'
import { serverTiming } from '../timings.ts'
import { guardBody } from './body.ts'
import { addCorsHeaders, preflight } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { addFixedHeaders } from './fixed-headers.ts'
import { type MakeDeps, openRequest, type Platform } from './request-deps.ts'
import { openSession } from './session.ts'

const NOTHING: ReadonlyMap<string, number> = new Map()

/**
 * The outermost middleware: draws a fresh id for each request (ids that callers send are not believed), then puts on its answer,
 * whatever made it, the headers that every answer has, and writes its line in the log. Answers that shared caches may keep go
 * without what is one request's own. All in one pass: a middleware for each would cost a 402 more than working out its price.
 */
export const withResponseHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now()
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  await next()
  const ms = Date.now() - startedAt
  const spent = c.get('timings')?.spent() ?? NOTHING
  const { headers } = c.res
  const isShared = addFixedHeaders(headers)
  // Not there while the deployment is misconfigured.
  const deps: RequestDeps | undefined = c.get('deps')
  if (deps !== undefined) addCorsHeaders(c, deps.config, headers)
  for (const [name, value] of deprecationHeaders(c)) headers.set(name, value)
  // The Workers runtime alone adds none, and a client with a wrong clock corrects itself by it.
  headers.set('Date', new Date(startedAt + ms).toUTCString())
  if (!isShared) {
    headers.set('Server-Timing', serverTiming(ms, spent))
    headers.set('X-Request-Id', requestId)
  }
  logRequest(c, ms, spent)
}

/**
 * The steps of every request before its route: its deps, preflights answered, its body bounded, its session opened. Anything thrown
 * here or further in is always an `Error`: Hono hands only those to `onError`, and anything else would leave without an answer.
 */
export function withRequestContext(makeDeps: MakeDeps, platform: Platform): MiddlewareHandler<AppEnv> {
  const open = openRequest(makeDeps, platform)
  return async (c, next) => {
    try {
      open(c)
      const answer = preflight(c)
      if (answer !== null) {
        c.res = answer
        return
      }
      await guardBody(c)
      await openSession(c)
      await next()
    } catch (thrown) {
      throw thrown instanceof Error ? thrown : new Error('something that is no Error was thrown')
    }
  }
}

/**
 * The line of an answered request, with the milliseconds it took and waited for each upstream: the route's pattern rather than its
 * path, no query, no body, no header.
 */
function logRequest(c: Context<AppEnv>, ms: number, spent: ReadonlyMap<string, number>): void {
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
