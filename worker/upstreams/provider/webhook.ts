import { fromBase64 } from '../../../protocol/base64.ts'

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/**
 * True if a webhook really comes from the provider: HMAC-SHA-256 over id, time and raw body, any of the sent signatures, not
 * older or newer than 5 minutes. `secret` is `whsec_` and base64. Signatures are compared by WebCrypto, in constant time.
 */
export async function verifyWebhook(
  secret: string,
  headers: Pick<Headers, 'get'>,
  rawBody: string,
  now: Date,
): Promise<boolean> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headers.get(name),
  )
  if (!id || !timestamp || !signatures || !/^[0-9]{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const key = await importKey(secret)
  if (key === null) return false
  const content = new TextEncoder().encode(`${id}.${timestamp}.${rawBody}`)
  // The provider sends two while a secret is being changed; more than a few is not an honest request.
  for (const entry of signatures.split(' ').slice(0, 8)) {
    const bytes = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : null
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, content))) return true
  }
  return false
}

async function importKey(secret: string): Promise<CryptoKey | null> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (bytes === null || bytes.length === 0) return null
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}
