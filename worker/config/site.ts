import type { Config } from './config.ts'
import type { EnvReader } from './reader.ts'
import * as check from './schemas.ts'

export type Environment = Config['environment']

/** Fewer different characters than this is a word or a key held down, not 32 random characters. */
const MIN_DISTINCT_CHARACTERS = 12
const PLACEHOLDER = /change.?me|dev.?only|example|placeholder|insecure/i

/** Our own origins, first one first; http is for this machine and development only. */
export function readOrigins(read: EnvReader, environment: Environment): Config['publicOrigins'] | undefined {
  const origins = read.required('PUBLIC_ORIGIN', check.list(check.origin))
  const isAllowed = (url: string): boolean =>
    url.startsWith('https:') || (environment === 'development' && check.isLoopback(url))
  if (origins?.every(isAllowed) === false) {
    read.fault('PUBLIC_ORIGIN', 'must be https (http only on localhost with ENVIRONMENT=development)')
  }
  const [first, ...more] = new Set(origins)
  return first === undefined ? undefined : [first, ...more]
}

/** The session secret and the one before it, which still opens: outside development a placeholder is refused as either. */
export function readSecrets(
  read: EnvReader,
  environment: Environment,
): Pick<Config, 'sessionSecret' | 'sessionSecretPrevious'> | undefined {
  const sessionSecret = read.required('SESSION_SECRET', check.secret)
  const sessionSecretPrevious = read.optional('SESSION_SECRET_PREVIOUS', check.secret)
  if (environment !== 'development') {
    refusePoor(read, 'SESSION_SECRET', sessionSecret)
    refusePoor(read, 'SESSION_SECRET_PREVIOUS', sessionSecretPrevious)
  }
  if (sessionSecret === undefined) return undefined
  return { sessionSecret, ...(sessionSecretPrevious !== undefined && { sessionSecretPrevious }) }
}

function refusePoor(read: EnvReader, name: string, secret: string | undefined): void {
  const isPoor = secret !== undefined && (PLACEHOLDER.test(secret) || new Set(secret).size < MIN_DISTINCT_CHARACTERS)
  if (isPoor) read.fault(name, 'is a placeholder, not random; make one with: openssl rand -base64 48')
}

/** True if the limits per minute apply. Only development may switch them off. */
export function readRateLimits(read: EnvReader, environment: Environment): boolean {
  const on = read.optional('RATE_LIMITS', check.onOff) ?? true
  if (!on && environment !== 'development') read.fault('RATE_LIMITS', 'may be off only with ENVIRONMENT=development')
  return on
}
