import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'

/** Answers are data: nothing in them may run, be framed, sniffed or kept. */
const HEADERS: Record<string, string> = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Pages of others may ask by CORS; they may not load answers as pictures or scripts.
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
}

/** Sets the headers above on every answer, and `Cache-Control: no-store` unless the route says `public`. */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value)
  if (!c.res.headers.get('Cache-Control')?.includes('public')) c.res.headers.set('Cache-Control', 'no-store')
}
