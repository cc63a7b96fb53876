import { fromBase64, toBase64Url } from '../../protocol/base64.ts'

const ED25519_BYTES = 64
const SEED_BYTES = 32

/** A key that signs JWTs, as WebCrypto takes it. */
export interface SigningKey {
  alg: 'EdDSA' | 'ES256'
  import(): Promise<CryptoKey>
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' }

/**
 * A signing key in one of the two formats that CDP issues: base64 of 64 bytes (Ed25519: seed and public key), or a PEM of an EC
 * key on P-256. Null when the text has neither form.
 */
export function readSigningKey(text: string): SigningKey | null {
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

function ecKey(der: Uint8Array<ArrayBuffer> | null, isSec1: boolean): SigningKey | null {
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
