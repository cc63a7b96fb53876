import type { Context } from 'hono'
import type { Config } from '../../config/config.ts'
import type { AppEnv } from '../context.ts'

const READ = ['GET', 'HEAD']

/**
 * Calls that any page may make, without credentials: what is public, and what can sign in by headers alone. A page of another origin
 * is signed out there, whatever cookie its browser sends.
 */
const OPEN_CALLS: readonly [path: RegExp, methods: readonly string[]][] = [
  [/^\/(api\/(models|stats|openapi\.json)|openapi\.json|\.well-known\/(coinslot\.json|x402|x402\.json))$/, READ],
  [/^\/api\/inference(\/estimate)?$/, ['POST']],
  [/^\/api\/inference\/[^/]+(\/receipt)?$/, READ],
  [/^\/api\/(inferences|account)$/, READ],
  [/^\/v1(\/|$)/, [...READ, 'POST']],
]

/** True if pages of any origin may make this call. */
export const isOpenToAnyOrigin = (path: string, method: string): boolean =>
  OPEN_CALLS.some(([pattern, methods]) => methods.includes(method) && pattern.test(path))

/** True if a request names an origin that is not this service's. */
export const isForeign = (origin: string | undefined, { publicOrigins }: Pick<Config, 'publicOrigins'>): boolean =>
  origin !== undefined && !publicOrigins.includes(origin)

/** The response headers that pages may read, on every status. */
const EXPOSED =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-Request-Id, Location, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Server-Timing, Idempotency-Replayed, Unused-Payment, WWW-Authenticate, Mcp-Session-Id'
/** The headers that stock clients and our site send; besides, names that begin with `mcp-` or `x-stainless-`. */
const SENT_BY_CLIENTS: ReadonlySet<string> = new Set([
  'content-type',
  'payment-signature',
  'sign-in-with-x',
  'x-record-key',
  'idempotency-key',
  'authorization',
  'accept',
  'access-control-expose-headers',
  'x-csrf-token',
  'prefer',
])
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
  if (isOpenToAnyOrigin(c.req.path, method)) {
    return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED }
  }
  return {}
}

/** The method that a preflight asks for; undefined for any other request. */
const askedMethod = (c: Context<AppEnv>): string | undefined =>
  c.req.method === 'OPTIONS' ? c.req.header('Access-Control-Request-Method') : undefined

/** Those of the headers that a preflight asks for that clients send. */
function allowedHeaders(asked: string): string {
  const names = asked.split(',').map((name) => name.trim().toLowerCase())
  const isSent = (name: string): boolean =>
    SENT_BY_CLIENTS.has(name) || name.startsWith('mcp-') || name.startsWith('x-stainless-')
  return names.filter(isSent).join(', ')
}

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
      'Access-Control-Allow-Headers': allowedHeaders(c.req.header('Access-Control-Request-Headers') ?? ''),
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    }),
  })
}

/**
 * Our own origins with credentials; any origin without them on the open calls; nothing for the rest. The headers stand on
 * errors too, so that a page sees a 402 and not "Failed to fetch". A preflight brought its own.
 */
export function addCorsHeaders(c: Context<AppEnv>, config: Config, headers: Headers): void {
  const own = Object.entries(originHeaders(c, config, c.req.method))
  if (own.length === 0 || askedMethod(c) !== undefined) return
  for (const [name, value] of own) headers.set(name, value)
}
