import type { Config } from '../../config/config.ts'

type OriginConfig = Pick<Config, 'publicOrigins'>

/** `host[:port]` of an origin, or of the platform's request URL: what stands between `//` and the next slash. */
const hostOf = (url: string): string => url.split('/', 3)[2] ?? ''

/** The configured origin with this host (`host[:port]`, compared exactly), or undefined. */
export const originOfHost = (config: OriginConfig, host: string): string | undefined =>
  config.publicOrigins.find((origin) => hostOf(origin) === host)

/** The configured origin a request came in through; the first one when its host is not configured. */
export const originOfRequest = (config: OriginConfig, url: string): string =>
  originOfHost(config, hostOf(url)) ?? config.publicOrigins[0]

/**
 * The path that a challenge and its proof name. The MCP server passes on what came in at `/mcp` to paths below it; its callers know
 * the first one only.
 */
export const endpointPath = (path: string): string => (path.startsWith('/mcp/') ? '/mcp' : path)

/** Cookies of https origins are `Secure` and carry the `__Host-` prefix, which no sibling host can set. */
export const cookieNames = (origin: string): CookieNames => (origin.startsWith('https:') ? SECURE : PLAIN)

interface CookieNames {
  session: string
  csrf: string
  secure: boolean
}
const SECURE: CookieNames = { session: '__Host-session', csrf: '__Host-csrf', secure: true }
const PLAIN: CookieNames = { session: 'session', csrf: 'csrf', secure: false }
