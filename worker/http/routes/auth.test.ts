import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { K1, K2 } from '../../../test/helpers/app.ts'
import { codeOf } from '../../../test/helpers/app-calls.ts'
import { makeTestConfig } from '../../../test/helpers/config.ts'
import { nonceOf, SIGNED_IN, SIGNED_OUT, useSignIn, verify } from '../../../test/helpers/sign-in.ts'
import { siweText } from '../../../test/helpers/siwe.ts'

const { db, setUp } = useSignIn()

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
    const kit = setUp()
    const first = kit.clock.now()
    await kit.client().signIn(K1)
    kit.clock.advance(5_000)
    await kit.client().signIn(K1)
    const rows = await db.database.run(
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

  it.each([
    ['half a byte', '0x123'],
    ['no hex digits', '0xzz'],
    ['no prefix', '12'],
    ['more than 8 KiB', `0x${'00'.repeat(8193)}`],
  ])('error: invalid_request, and why, for a signature of %s', async (_, signature) => {
    const client = setUp().client()
    await nonceOf(client)
    const answer = await client.post('/api/auth/verify', { message: 'x', signature })
    expect(codeOf(answer)).toBe('invalid_request')
    expect(answer.text).toMatch(/signature: (0x and two hex digits for each byte|Too long)/)
  })

  it('behavior: never cached', async () => {
    expect((await setUp().client().get('/api/auth/nonce')).headers.get('Cache-Control')).toBe('no-store')
  })
})
