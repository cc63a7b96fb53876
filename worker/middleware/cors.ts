import type { Context } from 'hono'
import type { Config } from '../config/config.ts'
import type { AppEnv } from '../context.ts'

/** Calls that carry nothing private: any page may make them, without credentials. */
const PUBLIC_CALLS: Record<string, readonly string[]> = {
  '/api/models': ['GET', 'HEAD'],
  '/api/stats': ['GET', 'HEAD'],
  '/api/openapi.json': ['GET', 'HEAD'],
  '/openapi.json': ['GET', 'HEAD'],
  '/api/inference/estimate': ['POST'],
  '/.well-known/coinslot.json': ['GET', 'HEAD'],
  '/.well-known/x402': ['GET', 'HEAD'],
  '/.well-known/x402.json': ['GET', 'HEAD'],
}

/** What pages may read of an answer, on every status. */
const EXPOSED =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-Request-Id, Location, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Server-Timing'
/** What the stock x402 client and our site send. */
const ALLOWED = 'content-type, payment-signature, access-control-expose-headers, x-csrf-token, prefer'
/** A request with a proof needs no CSRF token, so only our own pages may send one. */
const ALLOWED_TO_OURS = `${ALLOWED}, sign-in-with-x`
const PREFLIGHT_SECONDS = '600'

function originHeaders(c: Context<AppEnv>, { publicOrigins }: Config, method: string): Record<string, string> {
  const origin = c.req.header('Origin')
  if (origin === undefined) return {}
  if (publicOrigins.includes(origin)) {
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

/** The method that a preflight asks for; undefined for any other request. */
const askedMethod = (c: Context<AppEnv>): string | undefined =>
  c.req.method === 'OPTIONS' ? c.req.header('Access-Control-Request-Method') : undefined

/** The answer of a preflight, which reaches no route; null for any other request. */
export function preflight(c: Context<AppEnv>): Response | null {
  const asked = askedMethod(c)
  if (asked === undefined) return null
  const allowed = originHeaders(c, c.get('deps').config, asked.toUpperCase())
  const isOurs = allowed['Access-Control-Allow-Credentials'] !== undefined
  return c.body(null, 204, {
    ...allowed,
    ...(allowed['Access-Control-Allow-Origin'] !== undefined && {
      'Access-Control-Allow-Methods': isOurs ? 'GET, HEAD, POST, PUT, DELETE' : 'GET, HEAD, POST',
      'Access-Control-Allow-Headers': isOurs ? ALLOWED_TO_OURS : ALLOWED,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    }),
  })
}

/**
 * Our own origins with credentials; any origin without them on the public calls; nothing for the rest. The headers stand on
 * errors too, so that a page sees a 402 and not "Failed to fetch". A preflight brought its own.
 */
export function addCorsHeaders(c: Context<AppEnv>, config: Config, headers: Headers): void {
  const own = Object.entries(originHeaders(c, config, c.req.method))
  if (own.length === 0 || askedMethod(c) !== undefined) return
  for (const [name, value] of own) headers.set(name, value)
}
