/** Of every answer. Answers are data: nothing in them may run, be framed, sniffed or kept. */
const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"],
  ['X-Frame-Options', 'DENY'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
  // Pages of others may ask by CORS; they may not load answers as pictures or scripts.
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'],
]

/**
 * Adds the headers that every answer has and that no request changes. Returns whether shared caches may keep the answer.
 * Once added, they are not added again.
 */
export function addFixedHeaders(headers: Headers): boolean {
  // Only this function sets it. Answers that were made of a copy of finished headers are never shared.
  if (headers.has('X-Frame-Options')) return false
  for (const [name, value] of SECURITY_HEADERS) headers.set(name, value)
  const vary = headers.get('Vary')
  if (!vary?.includes('Origin')) headers.set('Vary', vary === null ? 'Origin' : `${vary}, Origin`)
  const isShared = headers.get('Cache-Control')?.includes('public') === true
  if (!isShared) headers.set('Cache-Control', 'no-store')
  return isShared
}
