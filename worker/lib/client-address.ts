/** The caller's address as far as the platform vouches for it, from a request and the platform's bindings. */
export type ClientAddress = (request: Request, env: object) => string

/** On Cloudflare: its edge sets `CF-Connecting-IP` itself and lets no caller set it. */
export const cloudflareAddress: ClientAddress = (request) => request.headers.get('CF-Connecting-IP') ?? 'unknown'

/**
 * Elsewhere: the socket's own address, unless it is the trusted proxy's; then the last entry of `X-Forwarded-For`, the one that
 * proxy wrote. A caller may have invented the entries before it.
 */
export function forwardedAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  trustedProxy: string | undefined,
): string {
  const socket = plain(socketAddress ?? 'unknown')
  if (trustedProxy === undefined || socket !== plain(trustedProxy)) return socket
  const last = forwardedFor?.split(',').at(-1)?.trim()
  return last === undefined || last === '' ? socket : plain(last)
}

/** `::ffff:10.0.0.1` is `10.0.0.1` on a dual-stack socket. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The key a caller is counted under: an IPv4 address, or the first 64 bits of an IPv6 one, since a single customer commonly
 * gets all addresses below those.
 */
export function rateLimitKey(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const full = [...groups, ...zeros, ...rest].map((group) => group.replace(/^0+(?=.)/, ''))
  return `${full.slice(0, 4).join(':')}::/64`
}
