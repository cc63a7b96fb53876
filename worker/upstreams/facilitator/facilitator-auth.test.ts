import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { readSigningKey } from '../../config/signing-key.ts'
import { makeAuthorization } from './facilitator-auth.ts'

const NOW = Date.parse('2026-11-28T12:00:00.500Z')
const URL = 'https://api.cdp.coinbase.com/platform/v2/x402/settle'
const ID = 'organizations/1/apiKeys/2'

const ed25519 = generateKeyPairSync('ed25519')
const jwk = ed25519.privateKey.export({ format: 'jwk' })
const ED25519 = Buffer.concat([jwk.d, jwk.x].map((part) => Buffer.from(part ?? '', 'base64url'))).toString('base64')
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const SEC1 = ec.privateKey.export({ format: 'pem', type: 'sec1' }).toString()
const PKCS8 = ec.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const WRONG_CURVE = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey

const decode = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

const tokenOf = async (secret: string, method: 'GET' | 'POST' = 'POST', url = URL): Promise<string[]> => {
  const { authorization = '' } = await makeAuthorization({ key: { id: ID, secret } }, () => NOW)(method, url)
  expect(authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
  return authorization.slice('Bearer '.length).split('.')
}

it.each([
  ['Ed25519 in base64', ED25519, 'EdDSA'],
  ['an EC key in PEM (SEC 1)', SEC1, 'ES256'],
  ['an EC key in PEM (PKCS #8)', PKCS8, 'ES256'],
  ['a PEM with written line breaks', SEC1.replaceAll('\n', '\\n'), 'ES256'],
])('default: a key signs a JWT for the call: %s', async (_, secret, alg) => {
  const [header, claims, signature = ''] = await tokenOf(secret)
  expect(decode(header)).toEqual({ alg, kid: ID, typ: 'JWT', nonce: expect.stringMatching(/^[0-9a-f]{32}$/) })
  const iat = Math.floor(NOW / 1000)
  expect(decode(claims)).toEqual({
    sub: ID,
    iss: 'cdp',
    uris: ['POST api.cdp.coinbase.com/platform/v2/x402/settle'],
    iat,
    nbf: iat,
    exp: iat + 120,
  })
  const signed = Buffer.from(`${header}.${claims}`)
  const bytes = Buffer.from(signature, 'base64url')
  const key = createPublicKey(alg === 'EdDSA' ? ed25519.privateKey : ec.privateKey)
  const isValid =
    alg === 'EdDSA'
      ? verify(null, signed, key, bytes)
      : verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes)
  expect(isValid).toBe(true)
})

it('behavior: no two calls carry the same token, and each names its own method and path', async () => {
  const [first, second] = await Promise.all([tokenOf(ED25519), tokenOf(ED25519)])
  expect(first[0]).not.toBe(second[0])
  const [, claims] = await tokenOf(ED25519, 'GET', 'https://facilitator.example:8443/x/supported?limit=1')
  expect(decode(claims)).toMatchObject({ uris: ['GET facilitator.example:8443/x/supported'] })
})

it('default: a fixed token goes as it is, and nothing without one', async () => {
  expect(await makeAuthorization({ token: 'abc' })('POST', URL)).toEqual({ authorization: 'Bearer abc' })
  expect(await makeAuthorization({})('POST', URL)).toEqual({})
})

it.each([
  ['32 bytes', Buffer.alloc(32).toString('base64')],
  ['not base64', 'not a key!'],
  ['an EC key on another curve', WRONG_CURVE.export({ format: 'pem', type: 'sec1' }).toString()],
  ['an RSA key', '-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----'],
])('error: not a key that can sign: %s', (_, text) => {
  expect(readSigningKey(text)).toBeNull()
})

it('error: a key that WebCrypto refuses is a failed call, and its text is in no message', async () => {
  const secret = `-----BEGIN PRIVATE KEY-----\n${Buffer.from([6, 8, 42, 134, 72, 206, 61, 3, 1, 7]).toString('base64')}\n-----END PRIVATE KEY-----`
  const failed = makeAuthorization({ key: { id: ID, secret } })('POST', URL)
  await expect(failed).rejects.toThrow('X402_FACILITATOR_KEY_SECRET cannot sign')
})
