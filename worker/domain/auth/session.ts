import { type CookieJar, getIronSession, type SessionOptions } from 'iron-session'
import { getAddress } from 'viem/utils'
import * as z from 'zod'
import type { Config } from '../../config/config.ts'
import { makeIsolateCache } from '../../lib/isolate-cache.ts'
import type { Session } from '../deps.ts'
import { cookieNames } from './origin.ts'

export const SESSION_SECONDS = 7 * 24 * 60 * 60
/** iron opens a seal this much longer than its lifetime. */
const SEAL_SKEW_SECONDS = 60

type SessionConfig = Pick<Config, 'sessionSecret' | 'sessionSecretPrevious' | 'networks'>

const sessionSchema = z.strictObject({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  chainId: z.number().int().positive(),
})

function optionsFor(origin: string, password: string): SessionOptions {
  const names = cookieNames(origin)
  return {
    cookieName: names.session,
    password,
    ttl: SESSION_SECONDS,
    cookieOptions: { httpOnly: true, secure: names.secure, sameSite: 'lax', path: '/' },
  }
}

/**
 * Sessions by their seal, and when the seal expires: a seal is opened once per isolate. The cache belongs to the configuration, so
 * other secrets or networks start an empty one.
 */
const opened = makeIsolateCache<{ session: Session; until: number }>()

/** The caller's session, or null. A seal that this isolate opened before is only looked at for its time. */
export async function readSession(config: SessionConfig, jar: CookieJar, origin: string): Promise<Session | null> {
  const seal = jar.read(cookieNames(origin).session)
  if (!seal) return null
  const known = opened.get(config, seal)
  if (known !== undefined && Date.now() < known.until) return known.session
  const session = await openSession(config, jar, origin)
  if (session !== null) opened.set(config, seal, { session, until: endOf(seal) })
  return session
}

/** The sixth field of a seal is when it ends, in milliseconds: what its own check compares with. Without an end: never remembered. */
const endOf = (seal: string): number => Number(seal.split('*')[5]) + SEAL_SKEW_SECONDS * 1_000

/**
 * Opens the session cookie with the present secret, else with the previous one. A map of passwords would not do: a seal carries
 * its key's number, and numbers shift at each rotation. A tampered, expired or unknown seal is not a session.
 */
async function openSession(config: SessionConfig, jar: CookieJar, origin: string): Promise<Session | null> {
  for (const secret of [config.sessionSecret, config.sessionSecretPrevious]) {
    if (secret === undefined) continue
    let failed = false
    const onUnsealError = (): void => {
      failed = true
    }
    const sealed = await getIronSession<Session>(jar, { ...optionsFor(origin, secret), onUnsealError })
    if (failed) continue
    const { success, data } = sessionSchema.safeParse({ ...sealed })
    if (!success || !config.networks.some((network) => network.chainId === data.chainId)) return null
    return { address: getAddress(data.address), chainId: data.chainId }
  }
  return null
}

/**
 * Writes the session cookie: 7 days, or `seconds` when the sign-in message ends sooner. The seal itself ends with the cookie:
 * its lifetime is shortened by the skew that opening it allows (a negative one is fine, 0 would mean for ever).
 */
export async function writeSession(
  config: SessionConfig,
  jar: CookieJar,
  origin: string,
  session: Session,
  seconds = SESSION_SECONDS,
): Promise<void> {
  const options = optionsFor(origin, config.sessionSecret)
  options.ttl = seconds - SEAL_SKEW_SECONDS || -0.001
  options.cookieOptions = { ...options.cookieOptions, maxAge: seconds }
  const blank: CookieJar = { ...jar, read: () => undefined, names: () => [] }
  const sealed = await getIronSession<Session>(blank, options)
  Object.assign(sealed, { address: session.address, chainId: session.chainId })
  await sealed.save()
}

/** Removes the client's session cookie, whether it has one or not. */
export async function clearSession(config: SessionConfig, jar: CookieJar, origin: string): Promise<void> {
  const sealed = await getIronSession<Session>(jar, optionsFor(origin, config.sessionSecret))
  sealed.destroy()
}
