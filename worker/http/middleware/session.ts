import type { Context, MiddlewareHandler } from 'hono'
import { setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import type { CookieJar } from 'iron-session'
import type { Config } from '../../config/config.ts'
import { cookieNames, endpointPath, originOfRequest } from '../../domain/auth/origin.ts'
import { type RequestProof, readRequestProof } from '../../domain/auth/request-proof.ts'
import { readSession } from '../../domain/auth/session.ts'
import type { Session } from '../../domain/deps.ts'
import { signInProblem } from '../../domain/purchase/views/challenge-problem.ts'
import { enforceRateLimit } from '../../domain/rate-limits/enforce.ts'
import { AppError } from '../../errors.ts'
import { rateLimitKey } from '../../lib/client-address.ts'
import { makeIsolateCache } from '../../lib/isolate-cache.ts'
import type { AppEnv } from '../context.ts'
import { isForeign, isOpenToAnyOrigin } from './cors.ts'
import { problemResponse } from './problem.ts'

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
 * A `Cookie` header whose lines a proxy may have sent apart: Node joins them with `; `, the Workers runtime with `, `, which is
 * read as a separator too. Not for `__Host-` cookies: a sibling host may set a cookie whose value holds `, __Host-session=…`.
 * There HTTP/2 and Cloudflare join the lines with `; ` (RFC 9113, 8.2.3).
 */
const joined = (header: string): string => header.replaceAll(/,\s*(?=[\w!#$%&'*+.^`|~-]+=)/g, '; ')

type Cookies = Readonly<Record<string, string>>

/** Cookies by their header: a caller sends the same ones with each call. */
const [parsed, parsedOfHost] = [makeIsolateCache<Cookies>(), makeIsolateCache<Cookies>()]

function cookiesOf(c: Context<AppEnv>, config: Config, hostBound: boolean): Cookies {
  const header = c.req.header('Cookie') ?? ''
  const known = hostBound ? parsedOfHost : parsed
  let cookies = known.get(config, header)
  if (cookies === undefined) {
    cookies = parse(hostBound ? header : joined(header))
    known.set(config, header, cookies)
  }
  return cookies
}

/** Calls whose answer depends on who asks. Others do not look at a proof. */
const READS_SESSION = /^\/(api\/(inferences?|account|models|admin|auth\/session)|v1|mcp)(\/|$)/

/**
 * Puts the origin, the cookies and the caller's session, or null, on the context. A proof in the header `SIGN-IN-WITH-X` beats the
 * cookie, and one that is not good is refused, also beside a good cookie: `invalid_siwe_message`, `invalid_signature`,
 * `unsupported_chain` or `nonce_expired`. Never writes the cookie.
 */
export async function openSession(c: Context<AppEnv>): Promise<void> {
  const { config } = c.get('deps')
  const origin = originOfRequest(config, c.req.url)
  c.set('origin', origin)
  c.set('cookies', cookiesOf(c, config, cookieNames(origin).secure))
  const header = READS_SESSION.test(c.req.path) ? c.req.header('SIGN-IN-WITH-X') : undefined
  const proof = header === undefined ? null : await readProof(c, header)
  c.set('proof', proof)
  const isStranger = isForeign(c.req.header('Origin'), config) && isOpenToAnyOrigin(c.req.path, c.req.method)
  const cookieSession = proof !== null || isStranger ? null : await readSession(config, cookieJar(c), origin)
  c.set('session', proof?.session ?? cookieSession)
}

/** Only a signature not from a plain account makes a call to the chain: those count as sign-ins of the caller's address. */
const readProof = (c: Context<AppEnv>, header: string): Promise<RequestProof> => {
  const deps = c.get('deps')
  const beforeChain = (): Promise<void> => enforceRateLimit(deps, 'verify', rateLimitKey(c.get('clientAddress')))
  return readRequestProof(deps, header, endpointPath(c.req.path), beforeChain)
}

/** The signed-in caller. Throws `unauthenticated`. */
export function callerOf(c: Context<AppEnv>): Session {
  const session = c.get('session')
  if (session === null) {
    throw new AppError('unauthenticated', { detail: 'Sign in with your wallet first: `GET /api/auth/nonce`.' })
  }
  return session
}

/** A challenge repeats the path, so a longer one is answered 401: the header must stay small. */
const MAX_CHALLENGED_PATH = 256

/**
 * Middleware: without a session a browser on our own pages is answered 401 `unauthenticated`. A program, which sends neither cookie nor
 * `Origin`, and a page of another origin are answered 402 with a challenge to sign: a 401 is a dead end for x402 clients.
 */
export const requireSessionOrChallenge: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('Origin')
  const isBrowserOfOurs =
    origin === undefined ? c.req.header('Cookie') !== undefined : !isForeign(origin, c.get('deps').config)
  if (c.get('session') === null && !isBrowserOfOurs && c.req.path.length <= MAX_CHALLENGED_PATH) {
    const endpoint = { origin: c.get('origin'), path: endpointPath(c.req.path) }
    c.res = problemResponse(c, signInProblem(c.get('deps'), endpoint))
    return
  }
  callerOf(c)
  await next()
}
