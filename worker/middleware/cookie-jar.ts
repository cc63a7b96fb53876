import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { CookieJar } from 'iron-session'
import type { AppEnv } from '../context.ts'

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
