import { sql } from 'drizzle-orm'
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Answer, K1, K2, makeTestApp, type TestClient } from '../../test/helpers/app.ts'
import { makeTestConfig, TEST_SECRET } from '../../test/helpers/config.ts'
import { sealFor } from '../../test/helpers/cookies.ts'
import { startTestDatabase, type TestDatabase } from '../../test/helpers/database.ts'
import { type SiweFields, siweText } from '../../test/helpers/siwe.ts'
import { cookieNames } from '../auth/origin.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await startTestDatabase()
})
afterAll(() => test.close())

function setUp(overrides: Parameters<typeof makeTestApp>[0] = {}) {
  const kit = makeTestApp({ database: test.database, ...overrides })
  kit.clock.set(new Date())
  return kit
}

const nonceSchema = z.object({ nonce: z.string() })
const nonceOf = async (client: TestClient): Promise<string> =>
  nonceSchema.parse((await client.get('/api/auth/nonce')).json).nonce
const codeOf = (answer: Answer): unknown => z.object({ code: z.string() }).safeParse(answer.json).data?.code

type Fields = Omit<SiweFields, 'nonce' | 'address'> & { address?: string; nonce?: string }

async function verify(
  kit: ReturnType<typeof setUp>,
  fields: Fields,
  change: (text: string) => string = (text) => text,
): Promise<{ answer: Answer; client: TestClient }> {
  const client = kit.client()
  const fresh = await nonceOf(client)
  const nonce = fields.nonce ?? fresh
  const message = change(siweText({ address: K1.address, issuedAt: kit.clock.now(), ...fields, nonce }))
  const signature = await K1.signMessage({ message })
  return { answer: await client.post('/api/auth/verify', { message, signature }), client }
}

const SIGNED_OUT = { address: null, chainId: null }
const SIGNED_IN = { address: K1.address, chainId: 84532 }

describe('sign-in', () => {
  it('default: nonce, signature, session, sign-out', async () => {
    const kit = setUp()
    const client = kit.client()
    const answer = await client.signIn(K1)
    expect([answer.status, answer.json]).toEqual([200, SIGNED_IN])
    expect((await client.get('/api/auth/session')).json).toEqual(SIGNED_IN)
    expect((await client.post('/api/auth/logout')).status).toBe(204)
    expect((await client.get('/api/auth/session')).json).toEqual(SIGNED_OUT)
  })

  it('behavior: created_at stays, last_seen_at follows each sign-in', async () => {
    await test.reset()
    const kit = setUp()
    const first = kit.clock.now()
    await kit.client().signIn(K1)
    kit.clock.advance(5_000)
    await kit.client().signIn(K1)
    const rows = await test.database.run(
      sql`select address, extract(epoch from created_at)::float8 as created, extract(epoch from last_seen_at)::float8 as seen from users`,
    )
    expect(rows).toEqual([
      { address: K1.address.toLowerCase(), created: first.getTime() / 1000, seen: first.getTime() / 1000 + 5 },
    ])
  })

  it('behavior: the session cookie is HttpOnly, Secure, Lax, host-bound, and lasts 7 days', async () => {
    const kit = setUp()
    const [cookie] = (await kit.client().signIn(K1)).headers.getSetCookie()
    const [pair = '', ...attributes] = (cookie ?? '').split('; ')
    expect(pair).toMatch(/^__Host-session=Fe26\.2\*/)
    expect(new Set(attributes)).toEqual(new Set(['Max-Age=604800', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']))
  })

  it('behavior: on http://localhost the cookies are plain and sign-in works', async () => {
    const origin = 'http://localhost:8787'
    const kit = setUp({ config: makeTestConfig({ publicOrigins: [origin], environment: 'development' }) })
    const { answer, client } = await verify(kit, { domain: 'localhost:8787', uri: origin })
    expect(answer.status).toBe(200)
    expect([...client.cookies.keys()].sort()).toEqual(['csrf', 'session'])
    expect(answer.headers.getSetCookie()[0]).not.toMatch(/Secure/)
    expect((await client.get('/api/auth/session')).json).toEqual(SIGNED_IN)
  })

  it('behavior: a session does not outlive the expiration time of its message', async () => {
    const kit = setUp()
    const { answer } = await verify(kit, { expirationTime: new Date(kit.clock.now().getTime() + 600_000) })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Max-Age=600;/)
  })

  it('behavior: a second sign-in by another wallet replaces the session', async () => {
    const client = setUp().client()
    await client.signIn(K1)
    await client.signIn(K2)
    expect((await client.get('/api/auth/session')).json).toMatchObject({ address: K2.address })
  })

  it('behavior: an address in lower case signs in, and comes out in EIP-55 letters', async () => {
    const { answer } = await verify(setUp(), { address: K1.address.toLowerCase() })
    expect([answer.status, answer.json]).toEqual([200, SIGNED_IN])
  })

  it('behavior: two tabs, two nonces, one jar: the older one still signs in', async () => {
    const kit = setUp()
    const client = kit.client()
    const nonce = await nonceOf(client)
    await nonceOf(client)
    const message = siweText({ address: K1.address, nonce, issuedAt: kit.clock.now() })
    const signature = await K1.signMessage({ message })
    expect((await client.post('/api/auth/verify', { message, signature })).status).toBe(200)
  })
})

describe('sign-in messages that are refused', () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000)
  const cases: [string, Fields, string][] = [
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

describe('nonces', () => {
  it('error: nonce_used for nineteen of twenty copies at once', async () => {
    const kit = setUp()
    const client = kit.client()
    const message = siweText({ address: K1.address, nonce: await nonceOf(client), issuedAt: kit.clock.now() })
    const signature = await K1.signMessage({ message })
    const copies = Array.from({ length: 20 }, () => client.post('/api/auth/verify', { message, signature }))
    const answers = await Promise.all(copies)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => codeOf(answer) === 'nonce_used')).toHaveLength(19)
  })

  it('behavior: a bad signature does not use up another caller’s nonce', async () => {
    const kit = setUp()
    const nonce = await nonceOf(kit.client())
    const message = siweText({ address: K1.address, nonce, issuedAt: kit.clock.now() })
    const stranger = kit.client()
    await stranger.get('/api/auth/nonce')
    const junk = await K2.signMessage({ message })
    expect(codeOf(await stranger.post('/api/auth/verify', { message, signature: junk }))).toBe('invalid_signature')
    expect((await verify(kit, { nonce })).answer.status).toBe(200)
  })

  it('behavior: never cached', async () => {
    expect((await setUp().client().get('/api/auth/nonce')).headers.get('Cache-Control')).toBe('no-store')
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

describe('session and sign-out', () => {
  it('behavior: sign-out answers the matching cookie each time, signed in or not', async () => {
    const client = setUp().client()
    await client.get('/api/auth/nonce')
    for (let i = 0; i < 2; i += 1) {
      const answer = await client.post('/api/auth/logout')
      expect(answer.status).toBe(204)
      const [cookie = ''] = answer.headers.getSetCookie()
      expect(cookie.split('; ').sort()).toEqual(
        ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Lax', 'Secure', '__Host-session='].sort(),
      )
    }
  })

  it('error: a broken seal is anonymous, never a fault', async () => {
    const client = setUp().client()
    await client.signIn(K1)
    const good = client.cookies.get('__Host-session') ?? ''
    for (const bad of [good.slice(0, -4), good.replace('*1*', '*9*'), 'garbage', 'x'.repeat(8000)]) {
      client.cookies.set('__Host-session', bad)
      const answer = await client.get('/api/auth/session')
      expect([answer.status, answer.json]).toEqual([200, SIGNED_OUT])
    }
  })

  it('behavior: of two session cookies the first counts, not one behind a non-breaking space', async () => {
    const kit = setUp()
    const client = kit.client()
    await client.signIn(K1)
    const mine = client.cookies.get('__Host-session') ?? ''
    const other = kit.client()
    await other.signIn(K2)
    const theirs = other.cookies.get('__Host-session') ?? ''
    const anonymous = kit.client()
    const twice = await anonymous.get('/api/auth/session', {
      Cookie: `__Host-session=${mine}; __Host-session=${theirs}`,
    })
    expect(twice.json).toMatchObject({ address: K1.address })
    const spaced = await anonymous.get('/api/auth/session', { Cookie: `\u00a0__Host-session=${theirs}` })
    expect(spaced.json).toEqual(SIGNED_OUT)
  })

  it.each([
    ['http://localhost:8787', 'a line each', ', '],
    ['http://localhost:8787', 'a line each, without a space', ','],
    ['http://localhost:8787', 'one line', '; '],
    ['https://coinslot.example', 'one line', '; '],
  ])('behavior: at %s the cookies of %s count', async (origin, _how, joint) => {
    const kit = setUp({ config: makeTestConfig({ publicOrigins: [origin] }) })
    const { session } = cookieNames(origin)
    const seal = await sealFor(kit.deps.config, K1.address)
    const Cookie = [`csrf=abc.def`, `theme=a b, c`, `${session}=${seal}`].join(joint)
    expect((await kit.client().get('/api/auth/session', { Cookie })).json).toMatchObject({ address: K1.address })
  })

  it('error: a sibling host’s cookie whose value names a __Host- cookie opens no session', async () => {
    const kit = setUp()
    const seal = await sealFor(kit.deps.config, K1.address)
    const Cookie = `theme=dark, __Host-session=${seal}`
    expect((await kit.client().get('/api/auth/session', { Cookie })).json).toEqual(SIGNED_OUT)
  })

  it('behavior: rotating the secret keeps sessions', async () => {
    const client = setUp().client()
    await client.signIn(K1)
    const rotated = makeTestConfig({
      sessionSecret: 'the next secret, which is long enough too',
      sessionSecretPrevious: TEST_SECRET,
    })
    const next = setUp({ config: rotated }).client()
    for (const [name, value] of client.cookies) next.cookies.set(name, value)
    expect((await next.get('/api/auth/session')).json).toEqual(SIGNED_IN)
    expect((await next.post('/api/auth/logout')).status).toBe(204)
  })

  it('behavior: reading the session writes no cookie while the CSRF cookie is good', async () => {
    const client = setUp().client()
    const first = await client.get('/api/auth/session')
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^__Host-csrf=[\w.-]+; Max-Age=604800; Path=\/; Secure; SameSite=Lax$/,
    )
    expect((await client.get('/api/auth/session')).headers.getSetCookie()).toEqual([])
    client.cookies.set('__Host-csrf', 'forged.token')
    expect((await client.get('/api/auth/session')).headers.getSetCookie()).toHaveLength(1)
  })

  it('behavior: two nonce calls give one CSRF cookie', async () => {
    const client = setUp().client()
    await client.get('/api/auth/nonce')
    const first = client.cookies.get('__Host-csrf')
    expect((await client.get('/api/auth/nonce')).headers.getSetCookie()).toHaveLength(1)
    expect(client.cookies.get('__Host-csrf')).toBe(first)
  })
})
