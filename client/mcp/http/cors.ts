/** The response headers that pages may read: those of the API, though a payment is in `_meta` here. */
const EXPOSED =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-Request-Id, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Unused-Payment, WWW-Authenticate, Mcp-Session-Id'
/** The headers that clients for MCP and their libraries send. */
const ALLOWED = new Set([
  'content-type',
  'accept',
  'authorization',
  'sign-in-with-x',
  'payment-signature',
  'x-record-key',
  'idempotency-key',
  'access-control-expose-headers',
  'x-csrf-token',
  'prefer',
])
const PREFIXES = ['mcp-', 'x-stainless-']
const PREFLIGHT_SECONDS = '600'

/** Any page may call, and never with credentials: no cookie is read here. */
export const corsHeaders = (request: Request): Record<string, string> =>
  request.headers.has('Origin') ? { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED } : {}

/** The answer of a preflight; null for any other request. */
export function preflight(request: Request): Response | null {
  if (request.method !== 'OPTIONS' || !request.headers.has('Access-Control-Request-Method')) return null
  const asked = (request.headers.get('Access-Control-Request-Headers') ?? '').toLowerCase().split(',')
  const isAllowed = (name: string): boolean => ALLOWED.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix))
  const allowed = asked.map((name) => name.trim()).filter(isAllowed)
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': allowed.join(', '),
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      Vary: 'Access-Control-Request-Headers',
    },
  })
}
