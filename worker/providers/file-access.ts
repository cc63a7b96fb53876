/** Whether a host may be fetched from: an entry names it, or a `*.` entry names a parent. Ports do not matter. */
export const isAllowedHost = (hostname: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => {
    const host = entry.toLowerCase()
    return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
  })

/**
 * The address of an output file, if it may be opened: on an allowed host, https (http where the provider's own base is http),
 * without credentials. Null otherwise. Host names are compared as URL parsing normalises them, so that no spelling slips by.
 */
export function allowedFileUrl(text: string, base: URL, allowed: readonly string[]): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && base.protocol === 'http:')) return null
  return isAllowedHost(url.hostname, allowed) ? url : null
}
