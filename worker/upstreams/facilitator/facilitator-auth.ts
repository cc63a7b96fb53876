import { jsonToBase64Url, toBase64Url } from '../../../protocol/base64.ts'
import type { Config } from '../../config/config.ts'
import { readSigningKey, type SigningKey } from '../../config/signing-key.ts'
import { HttpError } from '../../lib/http.ts'

type Credentials = Pick<NonNullable<Config['facilitator']>, 'token' | 'key'>

const TOKEN_SECONDS = 120
const signing = (alg: SigningKey['alg']) => (alg === 'EdDSA' ? { name: 'Ed25519' } : { name: 'ECDSA', hash: 'SHA-256' })

/** The `Authorization` of each call to a facilitator: none, a fixed bearer, or a JWT signed for that call alone. */
export function makeAuthorization({ token, key }: Credentials, now: () => number = Date.now) {
  const form = key === undefined ? null : readSigningKey(key.secret)
  let imported: Promise<CryptoKey> | undefined
  return async (method: 'GET' | 'POST', url: string): Promise<{ authorization?: string }> => {
    if (token !== undefined) return { authorization: `Bearer ${token}` }
    if (key === undefined || form === null) return {}
    imported ??= form.import()
    try {
      return {
        authorization: `Bearer ${await makeJwt(form.alg, await imported, key.id, `${method} ${bare(url)}`, now())}`,
      }
    } catch {
      // Nothing was sent. The cause may quote the key, so it stays out.
      throw new HttpError('network', 'X402_FACILITATOR_KEY_SECRET cannot sign')
    }
  }
}

/** Host and path, as the claim `uris` names a call. */
function bare(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

async function makeJwt(
  alg: SigningKey['alg'],
  key: CryptoKey,
  keyId: string,
  call: string,
  nowMs: number,
): Promise<string> {
  const iat = Math.floor(nowMs / 1000)
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  const header = { alg, kid: keyId, typ: 'JWT', nonce }
  const claims = { sub: keyId, iss: 'cdp', uris: [call], iat, nbf: iat, exp: iat + TOKEN_SECONDS }
  const text = `${jsonToBase64Url(header)}.${jsonToBase64Url(claims)}`
  const signature = await crypto.subtle.sign(signing(alg), key, new TextEncoder().encode(text))
  return `${text}.${toBase64Url(new Uint8Array(signature))}`
}
