import type { Config } from '../config.ts'

type OriginConfig = Pick<Config, 'publicOrigins'>

/** The configured origin with this host (`host[:port]`, compared exactly), or undefined. */
export const originOfHost = (config: OriginConfig, host: string): string | undefined =>
  config.publicOrigins.find((origin) => new URL(origin).host === host)

/** The configured origin a request came in through; the first one when its host is none of ours. */
export const originOfRequest = (config: OriginConfig, url: string): string =>
  originOfHost(config, new URL(url).host) ?? config.publicOrigins[0]

/** Cookies of https origins are `Secure` and carry the `__Host-` prefix, which no sibling host can set. */
export function cookieNames(origin: string): { session: string; csrf: string; secure: boolean } {
  const secure = origin.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  return { session: `${prefix}session`, csrf: `${prefix}csrf`, secure }
}
