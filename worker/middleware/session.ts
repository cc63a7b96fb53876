import type { Context, MiddlewareHandler } from 'hono'
import { setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import type { CookieJar } from 'iron-session'
import { cookieNames, originOfRequest } from '../auth/origin.ts'
import { readSession } from '../auth/session.ts'
import type { AppEnv, Session } from '../context.ts'
import { AppError } from '../errors.ts'

/** The request's cookies and the response's `Set-Cookie`, in iron-session's shape; outlives a replaced response. */
export const cookieJar = (c: Context<AppEnv>): CookieJar => ({
  read: (name) => c.get('cookies')[name],
  names: () => Object.keys(c.get('cookies')),
  write: (name, value, { maxAge, path, secure, httpOnly }) =>
    setCookie(c, name, value, {
      ...(maxAge !== undefined && { maxAge }),
      path: path ?? '/',
      secure: secure ?? true,
      httpOnly: httpOnly ?? true,
      sameSite: 'Lax',
    }),
})

/**
 * The `Cookie` header. A proxy may send it as several lines; Node joins them with `; `, the Workers runtime with `, `, which is
 * read as a separator too. Not for `__Host-` cookies: a sibling host may set a cookie whose value holds `, __Host-session=…`.
 * There HTTP/2 and Cloudflare join the lines with `; ` (RFC 9113, 8.2.3).
 */
function cookieHeader(c: Context<AppEnv>, hostBound: boolean): string {
  const header = c.req.header('Cookie') ?? ''
  return hostBound ? header : header.replaceAll(/,\s*(?=[\w!#$%&'*+.^`|~-]+=)/g, '; ')
}

/** Puts the origin, the cookies and the caller's session, or null, on the context. Never refuses and never writes the cookie. */
export async function openSession(c: Context<AppEnv>): Promise<void> {
  const { config } = c.get('deps')
  const origin = originOfRequest(config, c.req.url)
  c.set('origin', origin)
  c.set('cookies', parse(cookieHeader(c, cookieNames(origin).secure)))
  c.set('session', await readSession(config, cookieJar(c), origin))
}

/** The signed-in caller. Throws `unauthenticated`. */
export function callerOf(c: Context<AppEnv>): Session {
  const session = c.get('session')
  if (session === null) {
    throw new AppError('unauthenticated', { detail: 'Sign in with your wallet first: `GET /api/auth/nonce`.' })
  }
  return session
}

/** Middleware: 401 `unauthenticated` unless the caller is signed in. */
export const requireSession: MiddlewareHandler<AppEnv> = async (c, next) => {
  callerOf(c)
  await next()
}
