import { describe, expect, it } from 'vitest'
import { K1, K2 } from '../../../test/helpers/app.ts'
import { makeTestConfig, TEST_SECRET } from '../../../test/helpers/config.ts'
import { sealFor } from '../../../test/helpers/cookies.ts'
import { SIGNED_IN, SIGNED_OUT, useSignIn } from '../../../test/helpers/sign-in.ts'
import { cookieNames } from '../../domain/auth/origin.ts'

const { setUp } = useSignIn()

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
