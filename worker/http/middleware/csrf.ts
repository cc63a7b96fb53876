import type { Context, MiddlewareHandler } from 'hono'
import { setCookie } from 'hono/cookie'
import { toBase64Url } from '../../../protocol/base64.ts'
import type { Config } from '../../config/config.ts'
import { cookieNames } from '../../domain/auth/origin.ts'
import { AppError } from '../../errors.ts'
import { makeIsolateCache } from '../../lib/isolate-cache.ts'
import { makeTextSigner } from '../../lib/text-signer.ts'
import type { AppEnv } from '../context.ts'

const CSRF_SECONDS = 7 * 24 * 60 * 60
const RANDOM_BYTES = 18

/** `<random>.<signature>`: only this service can make one that verifies. `__Host-` keeps another host from planting one. */
function makeToken(config: Config): string {
  const random = toBase64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))
  return `${random}.${makeTextSigner(config, 'csrf').sign(random)}`
}

/** Tokens that verified: their signature is worked out once. */
const verified = makeIsolateCache<true>()

function isOurToken(config: Config, token: string): boolean {
  if (verified.get(config, token)) return true
  const [random, signature, ...more] = token.split('.')
  if (!random || !signature || more.length > 0) return false
  const good = makeTextSigner(config, 'csrf').verify(random, signature)
  if (good) verified.set(config, token, true)
  return good
}

/**
 * Sets the CSRF cookie: the present one again if it verifies, so that tabs do not take it from each other, else a
 * new one. With `onlyIfNeeded` a good one is left alone.
 */
export function issueCsrf(c: Context<AppEnv>, options: { onlyIfNeeded?: boolean } = {}): void {
  const { config } = c.get('deps')
  const names = cookieNames(c.get('origin'))
  const present = c.get('cookies')[names.csrf]
  const good = present !== undefined && isOurToken(config, present)
  if (good && options.onlyIfNeeded === true) return
  setCookie(c, names.csrf, good ? present : makeToken(config), {
    maxAge: CSRF_SECONDS,
    path: '/',
    secure: names.secure,
    sameSite: 'Lax',
  })
}

/**
 * `X-CSRF-Token` must equal the cookie, which must be ours, and an `Origin`, if sent, must be ours. Throws 403 `csrf_failed`.
 * It comes after the session check where both apply.
 */
export function assertCsrf(c: Context<AppEnv>): void {
  const { config } = c.get('deps')
  const origin = c.req.header('Origin')
  if (origin !== undefined && !config.publicOrigins.includes(origin)) {
    throw new AppError('csrf_failed', { detail: 'The `Origin` of this request is not an origin of this service.' })
  }
  const header = c.req.header('X-CSRF-Token')
  const cookie = c.get('cookies')[cookieNames(c.get('origin')).csrf]
  if (header === undefined || header !== cookie || !isOurToken(config, header)) {
    throw new AppError('csrf_failed', {
      detail: 'Send `X-CSRF-Token` with the value of the CSRF cookie that `GET /api/auth/nonce` sets.',
    })
  }
}

/** Middleware: `assertCsrf`. */
export const requireCsrf: MiddlewareHandler<AppEnv> = async (c, next) => {
  assertCsrf(c)
  await next()
}
