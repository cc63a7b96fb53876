import { describe, expect, it } from 'vitest'
import { type Answer, makeTestApp } from '../test/helpers/app.ts'
import { codeOf, signedIn } from '../test/helpers/app-calls.ts'
import { TEST_ORIGIN } from '../test/helpers/config.ts'

const emptyDatabase = { run: async () => [], batch: async () => [] }

describe('CORS', () => {
  const evil = { Origin: 'https://evil.example' }
  const preflight = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }
  const corsOf = ({ headers }: Answer) => ({
    origin: headers.get('Access-Control-Allow-Origin'),
    credentials: headers.get('Access-Control-Allow-Credentials'),
  })
  const NOTHING = { origin: null, credentials: null }
  const OURS = { origin: TEST_ORIGIN, credentials: 'true' }

  it.each([
    ['GET', '/api/auth/session'],
    ['GET', '/api/auth/nonce'],
    ['POST', '/api/auth/verify'],
    ['OPTIONS', '/api/auth/session'],
    ['OPTIONS', '/api/auth/verify'],
    ['POST', '/api/models'],
  ])('behavior: another site gets nothing from %s %s', async (method, path) => {
    const headers = method === 'OPTIONS' ? { ...evil, ...preflight } : evil
    expect(corsOf(await makeTestApp().client().send(method, path, { headers }))).toEqual(NOTHING)
  })

  it('behavior: any origin may read the public calls, without credentials', async () => {
    const client = makeTestApp().client()
    for (const [method, path] of [
      ['GET', '/api/stats'],
      ['POST', '/api/inference/estimate'],
    ] as const) {
      expect(corsOf(await client.send(method, path, { headers: evil }))).toEqual({ origin: '*', credentials: null })
    }
    const asked = { ...evil, ...preflight }
    const answer = await client.send('OPTIONS', '/api/inference/estimate', { headers: asked })
    expect(corsOf(answer)).toEqual({ origin: '*', credentials: null })
  })

  it('behavior: an allowed origin gets both CORS headers, with Vary, on errors too', async () => {
    const client = makeTestApp().client()
    for (const path of ['/api/auth/session', '/api/account', '/api/nothing', '/api/stats']) {
      const answer = await client.get(path, { Origin: TEST_ORIGIN })
      expect(corsOf(answer)).toEqual(OURS)
      expect(answer.headers.get('Vary')).toContain('Origin')
      const exposed = answer.headers.get('Access-Control-Expose-Headers') ?? ''
      for (const name of [
        'PAYMENT-REQUIRED',
        'PAYMENT-RESPONSE',
        'X-Request-Id',
        'Location',
        'Retry-After',
        'RateLimit',
      ]) {
        expect(exposed.split(', ')).toContain(name)
      }
    }
  })

  it('behavior: a preflight allows what the stock x402 client sends', async () => {
    const names = 'content-type, payment-signature, access-control-expose-headers, x-csrf-token, prefer'
    const headers = { Origin: TEST_ORIGIN, ...preflight, 'Access-Control-Request-Headers': names }
    const answer = await makeTestApp().client().send('OPTIONS', '/api/inference', { headers })
    expect(answer.status).toBe(204)
    expect(corsOf(answer)).toEqual(OURS)
    const allowed = (answer.headers.get('Access-Control-Allow-Headers') ?? '').split(', ')
    for (const name of names.split(', ')) expect(allowed).toContain(name)
    expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('POST')
  })

  it.each([
    [TEST_ORIGIN, '/api/inference'],
    [TEST_ORIGIN, '/api/models'],
    ['https://evil.example', '/api/models'],
    ['https://evil.example', '/api/inference'],
  ])('behavior: CORS allows SIGN-IN-WITH-X, which is itself the proof: %s %s', async (Origin, path) => {
    const headers = {
      Origin,
      'Access-Control-Request-Method': path === '/api/models' ? 'GET' : 'POST',
      'Access-Control-Request-Headers': 'content-type, sign-in-with-x',
    }
    const answer = await makeTestApp().client().send('OPTIONS', path, { headers })
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe('content-type, sign-in-with-x')
  })

  it('behavior: origins that only look like ours, and "null", are others', async () => {
    const client = makeTestApp().client()
    for (const Origin of [`${TEST_ORIGIN}.evil.example`, 'http://coinslot.example', `${TEST_ORIGIN}:8443`, 'null']) {
      expect(corsOf(await client.get('/api/auth/session', { Origin })), Origin).toEqual(NOTHING)
    }
  })
})

describe('CSRF', () => {
  it.each(['/api/auth/verify', '/api/auth/logout', '/api/inference'])('error: csrf_failed at %s', async (path) => {
    const { signedInClient: client } = await signedIn()
    const good = client.cookies.get('__Host-csrf') ?? ''
    const tries: Record<string, string>[] = [
      { 'X-CSRF-Token': '' },
      { 'X-CSRF-Token': `${good}x` },
      ...(path === '/api/inference' ? [] : [{ 'X-CSRF-Token': good, Origin: 'https://evil.example' }]),
    ]
    for (const headers of tries) {
      const answer = await client.post(path, {}, headers)
      expect([answer.status, codeOf(answer)], JSON.stringify(headers)).toEqual([403, 'csrf_failed'])
    }
    client.cookies.set('__Host-csrf', 'planted.c29tZXRoaW5n')
    expect(codeOf(await client.post(path, {}))).toBe('csrf_failed')
  })

  it('behavior: a call that buys without a session is 402, with or without a token', async () => {
    const answer = await makeTestApp({ database: emptyDatabase }).client().post('/api/inference', {})
    expect([answer.status, codeOf(answer)]).toEqual([402, 'payment_required'])
  })

  it('behavior: our own origin with the token passes', async () => {
    const client = makeTestApp().client()
    await client.get('/api/auth/nonce')
    expect((await client.post('/api/auth/logout', undefined, { Origin: TEST_ORIGIN })).status).toBe(204)
  })
})
