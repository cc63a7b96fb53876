import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { describe, expect, it } from 'vitest'
import { K1, K2 } from '../../../test/helpers/app.ts'
import { codeOf } from '../../../test/helpers/app-calls.ts'
import { nonceOf, SIGNED_OUT, type SignInFields, useSignIn, verify } from '../../../test/helpers/sign-in.ts'
import { siweText } from '../../../test/helpers/siwe.ts'

const { setUp } = useSignIn()

describe('sign-in messages that are refused', () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000)
  const cases: [string, SignInFields, string][] = [
    [
      'another domain, as a phishing page would have it',
      { domain: 'evil.example', uri: 'https://evil.example' },
      'invalid_siwe_message',
    ],
    ['our domain with a foreign URI', { uri: 'https://evil.example' }, 'invalid_siwe_message'],
    ['our URI with a foreign domain', { domain: 'evil.example' }, 'invalid_siwe_message'],
    ['the domain in capitals', { domain: 'COINSLOT.EXAMPLE' }, 'invalid_siwe_message'],
    ['the domain with a default port', { domain: 'coinslot.example:443' }, 'invalid_siwe_message'],
    ['the domain with a trailing dot', { domain: 'coinslot.example.' }, 'invalid_siwe_message'],
    ['user info before the domain', { domain: 'user@coinslot.example' }, 'invalid_siwe_message'],
    ['the domain as user info of another', { domain: 'coinslot.example@evil.example' }, 'invalid_siwe_message'],
    ['localhost in production', { domain: 'localhost', uri: 'http://localhost' }, 'invalid_siwe_message'],
    ['an http URI of our host', { uri: 'http://coinslot.example' }, 'invalid_siwe_message'],
    ['a line break in the statement', { statement: 'Line1\nLine2' }, 'invalid_siwe_message'],
    ['a statement that is not ASCII', { statement: 'Войти é' }, 'invalid_siwe_message'],
    ['a domain that is not ASCII', { domain: 'exämple.com' }, 'invalid_siwe_message'],
    ['version 2', { version: '2' }, 'invalid_siwe_message'],
    ['an address with a wrong checksum', { address: K1.address.replace('E7E3', 'e7e3') }, 'invalid_siwe_message'],
    ['a chain id in hex', { chainId: '0x14a34' }, 'invalid_siwe_message'],
    ['a chain id with a leading zero', { chainId: '084532' }, 'invalid_siwe_message'],
    ['a chain that is not served', { chainId: 1 }, 'unsupported_chain'],
    ['chain 0', { chainId: 0 }, 'unsupported_chain'],
    ['chain 999999999', { chainId: 999_999_999 }, 'unsupported_chain'],
    ['an expiration a second ago', { expirationTime: new Date(Date.now() - 1000) }, 'invalid_siwe_message'],
    ['a start in an hour', { notBefore: minutes(60) }, 'invalid_siwe_message'],
    ['a signature from two days ago over a fresh nonce', { issuedAt: minutes(-2 * 24 * 60) }, 'invalid_siwe_message'],
    ['a message from the day after tomorrow', { issuedAt: minutes(2 * 24 * 60) }, 'invalid_siwe_message'],
    ['a nonce made in the browser', { nonce: 'abcdefgh12345678' }, 'nonce_expired'],
  ]
  it.each(cases)('error: %s', async (_what, fields, code) => {
    const { answer, client } = await verify(setUp(), fields)
    expect(codeOf(answer)).toBe(code)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect((await client.get('/api/auth/session')).json).toEqual(SIGNED_OUT)
  })

  it.each([
    ['one blank line too few', (text: string) => text.replace('\n\n\n', '\n\n')],
    ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a line end after the last line', (text: string) => `${text}\n`],
    ['a space before the first line', (text: string) => ` ${text}`],
  ])('error: %s', async (_what, change) => {
    expect(codeOf((await verify(setUp(), {}, change)).answer)).toBe('invalid_siwe_message')
  })

  it('error: a Host header of a phisher does not make his domain ours', async () => {
    const kit = setUp()
    const client = kit.client()
    const nonce = await nonceOf(client)
    const message = siweText({ address: K1.address, nonce, domain: 'evil.example', uri: 'https://evil.example' })
    const signature = await K1.signMessage({ message })
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
    expect(codeOf(await client.post('/api/auth/verify', { message, signature }, headers))).toBe('invalid_siwe_message')
  })

  it('error: nonce_expired after 10 minutes', async () => {
    const kit = setUp()
    const nonce = await nonceOf(kit.client())
    kit.clock.advance(601_000)
    expect(codeOf((await verify(kit, { nonce })).answer)).toBe('nonce_expired')
  })
})

describe('signatures', () => {
  it('behavior: 64 bytes (EIP-2098) are as good as 65', async () => {
    const kit = setUp()
    const client = kit.client()
    const message = siweText({ address: K1.address, nonce: await nonceOf(client), issuedAt: kit.clock.now() })
    const full = parseSignature(await K1.signMessage({ message }))
    const signature = serializeCompactSignature(signatureToCompactSignature(full))
    expect((await client.post('/api/auth/verify', { message, signature })).status).toBe(200)
    expect(kit.chain.state.calls).toEqual([])
  })

  it.each(['0x', '0x1234', `0x${'ab'.repeat(700)}`])(
    'behavior: a contract wallet signs in with %.10s…',
    async (signature) => {
      const kit = setUp()
      kit.chain.state.validSignatures.add(signature)
      const client = kit.client()
      const message = siweText({ address: K2.address, nonce: await nonceOf(client), issuedAt: kit.clock.now() })
      const answer = await client.post('/api/auth/verify', { message, signature })
      expect([answer.status, answer.json]).toEqual([200, { address: K2.address, chainId: 84532 }])
    },
  )

  it('error: invalid_signature that says so when the chain could not be asked', async () => {
    const kit = setUp()
    kit.chain.state.down = true
    const client = kit.client()
    const message = siweText({ address: K2.address, nonce: await nonceOf(client), issuedAt: kit.clock.now() })
    const answer = await client.post('/api/auth/verify', { message, signature: '0x1234' })
    expect(answer.json).toMatchObject({ code: 'invalid_signature', nextAction: 'wait_and_retry' })
  })

  const bodies: [string, unknown][] = [
    ...[null, 5, true, [], ['M0'], '', 'x'.repeat(60_000)].map((message): [string, unknown] => [
      `message ${JSON.stringify(message)?.slice(0, 10)}`,
      { message, signature: `0x${'11'.repeat(65)}` },
    ]),
    ...[null, undefined, '', 5, {}, [], '0x123', 'not-hex', `0x${'zz'.repeat(65)}`].map(
      (signature): [string, unknown] => [`signature ${JSON.stringify(signature)}`, { message: 'hello', signature }],
    ),
    ['an unknown member', { message: 'hello', signature: '0x12', admin: true }],
    ['a prototype key', '{"message":"hello","signature":"0x12","__proto__":{"admin":true}}'],
  ]
  it.each(bodies)('error: invalid_request for %s', async (_what, body) => {
    const client = setUp().client()
    await client.get('/api/auth/nonce')
    const answer = await client.post('/api/auth/verify', body)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('error: one byte more than a good signature', async () => {
    const kit = setUp()
    const client = kit.client()
    const message = siweText({ address: K1.address, nonce: await nonceOf(client), issuedAt: kit.clock.now() })
    const signature = `${await K1.signMessage({ message })}00`
    expect(codeOf(await client.post('/api/auth/verify', { message, signature }))).toBe('invalid_signature')
  })
})
