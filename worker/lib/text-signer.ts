import type { Config } from '../config/config.ts'
import { fromBase64, toBase64Url } from './base64.ts'

/** Signs and checks short texts; what the previous session secret signed still holds. */
export interface TextSigner {
  /** HMAC-SHA-256 as base64url, 43 characters. */
  sign(text: string): Promise<string>
  verify(text: string, signature: string): Promise<boolean>
}

type KeyConfig = Pick<Config, 'sessionSecret' | 'sessionSecretPrevious' | 'publicOrigins'>

const encoder = new TextEncoder()
const keys = new Map<string, Promise<CryptoKey>>()

/** HKDF of a secret with a label and the first origin: a separate key for each use. Cached per isolate. */
function hmacKey(secret: string, label: string, origin: string): Promise<CryptoKey> {
  const name = `${label}\n${origin}\n${secret}`
  let key = keys.get(name)
  if (key === undefined) {
    key = deriveKey(secret, label, origin)
    keys.set(name, key)
  }
  return key
}

async function deriveKey(secret: string, label: string, origin: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode(origin), info: encoder.encode(`coinslot ${label}`) },
    material,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  )
}

/**
 * A signer for one use, e.g. `makeTextSigner(config, 'quote')`.
 * Signatures are compared by WebCrypto, in constant time.
 */
export function makeTextSigner(config: KeyConfig, label: string): TextSigner {
  const origin = config.publicOrigins[0]
  const secrets = [config.sessionSecret, config.sessionSecretPrevious].filter((secret) => secret !== undefined)
  return {
    async sign(text) {
      const key = await hmacKey(config.sessionSecret, label, origin)
      return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))))
    },
    async verify(text, signature) {
      const bytes = fromBase64(signature)
      if (bytes === null) return false
      for (const secret of secrets) {
        const key = await hmacKey(secret, label, origin)
        if (await crypto.subtle.verify('HMAC', key, bytes, encoder.encode(text))) return true
      }
      return false
    },
  }
}
