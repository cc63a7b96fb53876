import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'

/** Calls that carry nothing private: any page may make them, without credentials. */
const PUBLIC_CALLS: Record<string, readonly string[]> = {
  '/api/models': ['GET', 'HEAD'],
  '/api/stats': ['GET', 'HEAD'],
  '/api/openapi.json': ['GET', 'HEAD'],
  '/api/inference/estimate': ['POST'],
  '/.well-known/coinslot.json': ['GET', 'HEAD'],
  '/.well-known/x402': ['GET', 'HEAD'],
}

/** What pages may read of an answer, on every status. */
const EXPOSED =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-Request-Id, Location, Retry-After, RateLimit, RateLimit-Policy, Server-Timing'
/** What the stock x402 client and our site send. */
const ALLOWED = 'content-type, payment-signature, access-control-expose-headers, x-csrf-token, prefer'
const PREFLIGHT_SECONDS = '600'

function originHeaders(c: Context<AppEnv>, method: string): Record<string, string> {
  const origin = c.req.header('Origin')
  if (origin === undefined) return {}
  if (c.get('deps').config.publicOrigins.includes(origin)) {
    return {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': EXPOSED,
    }
  }
  if (PUBLIC_CALLS[c.req.path]?.includes(method)) {
    return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED }
  }
  return {}
}

/**
 * Our own origins with credentials; any origin without them on the public calls; nothing for the rest. A preflight is answered
 * here and reaches no route; the headers stand on errors too, so that a page sees a 402 and not "Failed to fetch".
 */
export const cors: MiddlewareHandler<AppEnv> = async (c, next) => {
  const asked = c.req.method === 'OPTIONS' ? c.req.header('Access-Control-Request-Method') : undefined
  if (asked !== undefined) {
    const allowed = originHeaders(c, asked.toUpperCase())
    c.res = c.body(null, 204, {
      ...allowed,
      ...(allowed['Access-Control-Allow-Origin'] !== undefined && {
        'Access-Control-Allow-Methods': 'GET, HEAD, POST',
        'Access-Control-Allow-Headers': ALLOWED,
        'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      }),
    })
  } else {
    await next()
    for (const [name, value] of Object.entries(originHeaders(c, c.req.method))) c.res.headers.set(name, value)
  }
  const vary = c.res.headers.get('Vary')
  if (!vary?.includes('Origin')) c.res.headers.set('Vary', vary === null ? 'Origin' : `${vary}, Origin`)
}
