import { fromBase64, jsonToBase64Url, toBase64Url } from '../../protocol/base64.ts'
import type { Config } from '../config/config.ts'
import { HttpError } from '../lib/http.ts'

type Credentials = Pick<NonNullable<Config['facilitator']>, 'token' | 'key'>

const TOKEN_SECONDS = 120
const ED25519_BYTES = 64
const SEED_BYTES = 32

interface KeyForm {
  alg: 'EdDSA' | 'ES256'
  import(): Promise<CryptoKey>
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' }
const signing = (alg: KeyForm['alg']) => (alg === 'EdDSA' ? { name: 'Ed25519' } : { name: 'ECDSA', hash: 'SHA-256' })

/**
 * A signing key in one of the two formats that CDP issues: base64 of 64 bytes (Ed25519: seed and public key), or a PEM of an EC
 * key on P-256. Null when the text has neither form.
 */
export function readSigningKey(text: string): KeyForm | null {
  const pem = /-----BEGIN (EC )?PRIVATE KEY-----([\s\S]*?)-----END/.exec(text.replaceAll('\\n', '\n'))
  if (pem !== null) return ecKey(fromBase64((pem[2] ?? '').replaceAll(/\s/g, '')), pem[1] !== undefined)
  const bytes = fromBase64(text)
  if (bytes?.length !== ED25519_BYTES) return null
  const [d, x] = [toBase64Url(bytes.slice(0, SEED_BYTES)), toBase64Url(bytes.slice(SEED_BYTES))]
  const jwk = { kty: 'OKP', crv: 'Ed25519', d, x }
  return { alg: 'EdDSA', import: () => crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['sign']) }
}

/** DER: object identifier of P-256, and the algorithm identifier of an EC key on it. */
const P256 = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
const EC_ON_P256 = [0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, ...P256]

function ecKey(der: Uint8Array<ArrayBuffer> | null, isSec1: boolean): KeyForm | null {
  if (der === null || !der.join().includes(P256.join())) return null
  const pkcs8 = isSec1 ? wrapSec1(der) : der
  return { alg: 'ES256', import: () => crypto.subtle.importKey('pkcs8', pkcs8, ES256, false, ['sign']) }
}

/** WebCrypto reads only PKCS #8, which holds a SEC 1 key as an octet string. */
const wrapSec1 = (sec1: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(tagged(0x30, [0x02, 0x01, 0x00, ...EC_ON_P256, ...tagged(0x04, [...sec1])]))

/** A DER value of at most 255 bytes, which an EC key on P-256 never exceeds. */
const tagged = (tag: number, value: readonly number[]): number[] =>
  value.length < 0x80 ? [tag, value.length, ...value] : [tag, 0x81, value.length, ...value]

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
  alg: KeyForm['alg'],
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
