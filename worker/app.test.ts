import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Answer, K1, makeTestApp } from '../test/helpers/app.ts'
import { makeTestConfig, TEST_ORIGIN } from '../test/helpers/config.ts'
import { sealFor } from '../test/helpers/cookies.ts'
import { makeFakeLog } from '../test/helpers/fakes/ports.ts'
import { createApp } from './app.ts'
import { loadConfig } from './config/env.ts'

const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
})
const codeOf = (answer: Answer): unknown => problem.safeParse(answer.json).data?.code

/** Whatever went wrong, nothing of the inside may be in the answer. */
const INSIDES = /Failed query|params:|select |postgres:|neon\.tech|stack|node_modules|at Object|secret/i

const POST_ROUTES = ['/api/auth/verify', '/api/inference', '/api/inference/estimate']

async function signedIn(overrides: Parameters<typeof makeTestApp>[0] = {}) {
  const kit = makeTestApp(overrides)
  const client = kit.client()
  await client.get('/api/auth/nonce')
  client.cookies.set('__Host-session', await sealFor(kit.deps.config, K1.address))
  return { ...kit, signedInClient: client }
}

const emptyDatabase = { run: async () => [], batch: async () => [] }

describe('problem documents', () => {
  it('default: a problem document has the standard members, a code and a fresh request id', async () => {
    const client = makeTestApp().client()
    const answers = [await client.get('/api/admin/metrics'), await client.get('/api/admin/metrics')]
    const ids = answers.map((answer) => {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
      const document = problem.parse(answer.json)
      expect(document).toMatchObject({ type: '/problems/unauthenticated', status: 401, code: 'unauthenticated' })
      expect(answer.headers.get('X-Request-Id')).toBe(document.requestId)
      return document.requestId
    })
    expect(new Set(ids).size).toBe(2)
  })

  it('behavior: a request id that a caller sends is not believed', async () => {
    const answer = await makeTestApp().client().get('/api/account', { 'X-Request-Id': 'mine' })
    expect(answer.headers.get('X-Request-Id')).not.toBe('mine')
  })

  it.each(['/', '/api', '/api/nothing', '/api/auth/nonce/', '/api/models/x', '/api/%00'])(
    'error: not_found at %s',
    async (path) => {
      const answer = await makeTestApp().client().get(path)
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    },
  )

  it.each([
    ['DELETE', '/api/inference', 'POST, OPTIONS'],
    ['PUT', '/api/inference', 'POST, OPTIONS'],
    ['GET', '/api/inference', 'POST, OPTIONS'],
    ['POST', '/api/models', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/auth/verify', 'POST, OPTIONS'],
    ['GET', '/api/inference/estimate', 'POST, OPTIONS'],
    ['DELETE', '/api/inference/estimate', 'POST, OPTIONS'],
    ['POST', '/api/admin/payments', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/inference/7d3e1f6a-0000-4000-8000-000000000000', 'GET, HEAD, OPTIONS'],
  ])('error: method_not_allowed for %s %s', async (method, path, allow) => {
    const answer = await makeTestApp().client().send(method, path)
    expect([answer.status, codeOf(answer), answer.headers.get('Allow')]).toEqual([405, 'method_not_allowed', allow])
  })

  it.each(['/api/inference', '/api/models', '/api/auth/session'])(
    'behavior: OPTIONS %s is 204, never 402',
    async (path) => {
      const answer = await makeTestApp().client().send('OPTIONS', path)
      expect(answer.status).toBe(204)
      expect(answer.headers.get('Allow')).toContain('OPTIONS')
    },
  )

  const throwing = (thrown: unknown) => ({
    run: async () => Promise.reject(thrown),
    batch: async () => Promise.reject(thrown),
  })
  it.each([
    ['an Error that tells the statement', new Error('Failed query: select * from users\nparams: a secret prompt')],
    ['a string', 'postgres://user:secret@neon.tech'],
    ['undefined', undefined],
  ])('error: internal_error and nothing of its cause, when %s is thrown', async (_what, thrown) => {
    const { client, log } = makeTestApp({ database: throwing(thrown) })
    const answer = await client().get('/api/stats')
    expect([answer.status, codeOf(answer)]).toEqual([500, 'internal_error'])
    expect(answer.text).not.toMatch(INSIDES)
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(JSON.stringify(log.lines)).not.toContain('a secret prompt')
    expect(log.lines.map(({ event }) => event)).toEqual(['problem', 'request'])
  })

  it('error: database_unavailable', async () => {
    const answer = await makeTestApp().client().get('/api/stats')
    expect([answer.status, codeOf(answer)]).toEqual([503, 'database_unavailable'])
    expect(answer.text).not.toMatch(INSIDES)
  })

  it('error: misconfigured on every call, health too; faults go to the log once', async () => {
    const log = makeFakeLog()
    const fault = catchError(() => loadConfig({ SESSION_SECRET: 'short' }))
    const app = createApp(
      () => {
        throw fault
      },
      { makeLog: () => log },
    )
    for (const path of ['/api/health', '/api/models', '/api/auth/nonce']) {
      const response = await app.request(TEST_ORIGIN + path, {}, {})
      expect(response.status).toBe(503)
      const text = await response.text()
      expect(problem.parse(JSON.parse(text)).code).toBe('misconfigured')
      expect(text).not.toMatch(/SESSION_SECRET|DATABASE_URL/)
    }
    const reports = log.lines.filter(({ event }) => event === 'misconfigured')
    expect(reports).toHaveLength(1)
    expect(JSON.stringify(reports)).toContain('SESSION_SECRET must have at least 32 characters')
  })
})

describe('bodies', () => {
  const json = { 'Content-Type': 'application/json' }
  const estimate = { task: 'text-to-text', model: 'no/such', input: { prompt: 'hello' } }

  it.each(POST_ROUTES)('error: invalid_json at %s for text that is not JSON', async (path) => {
    const { signedInClient } = await signedIn()
    for (const body of ['{bad', '', '{"a":1}x', '\ufeff{}']) {
      const answer = await signedInClient.post(path, body, json)
      expect([answer.status, codeOf(answer)], body).toEqual([400, 'invalid_json'])
    }
  })

  it('error: invalid_request names the path of each unknown member, up to a limit', async () => {
    const input = { prompt: 'a', image: 'x' }
    const body = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input }
    const estimate = (sent: object) => makeTestApp().client().post('/api/inference/estimate', sent)
    expect((await estimate(body)).json).toMatchObject({
      errors: [{ path: 'input.image', message: 'Unknown member' }],
    })
    const flood = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`member${index}`, 0]))
    const answer = await estimate({ ...body, ...flood })
    expect([answer.status, answer.text.length < 4_000]).toEqual([400, true])
  })

  it.each(POST_ROUTES)('error: invalid_request at %s for JSON of another shape', async (path) => {
    const { signedInClient } = await signedIn()
    for (const body of ['null', '5', '"x"', '[]', '{}', '{"nothing":1}']) {
      const answer = await signedInClient.post(path, body, json)
      expect([answer.status, codeOf(answer)], body).toEqual([400, 'invalid_request'])
      expect(answer.json).toMatchObject({ errors: expect.any(Array), nextAction: 'fix_request' })
    }
  })

  it('error: bytes that are not UTF-8, and UTF-16', async () => {
    const { app } = makeTestApp()
    const broken = new Uint8Array([...new TextEncoder().encode('{"task":"'), 0xff, ...new TextEncoder().encode('"}')])
    const utf16 = new Uint8Array(Buffer.from('{"task":1}', 'utf16le'))
    for (const body of [broken, utf16]) {
      const init = { method: 'POST', headers: json, body }
      const response = await app.request(`${TEST_ORIGIN}/api/inference/estimate`, init, {})
      expect([response.status, problem.parse(await response.json()).code]).toEqual([400, 'invalid_json'])
    }
  })

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/json-patch+json'],
    ['application/problem+json'],
  ])('error: unsupported_media_type for %s', async (type) => {
    const answer = await makeTestApp().client().post('/api/inference/estimate', estimate, { 'Content-Type': type })
    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type'])
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('behavior: %s is JSON', async (type) => {
    const answer = await makeTestApp().client().post('/api/inference/estimate', estimate, { 'Content-Type': type })
    expect([answer.status, codeOf(answer)]).toEqual([404, 'model_not_found'])
  })

  it.each(['gzip', 'br', 'deflate', 'zstd'])(
    'error: unsupported_media_type for a body in %s, plain or not',
    async (encoding) => {
      const answer = await makeTestApp()
        .client()
        .post('/api/inference/estimate', estimate, { 'Content-Encoding': encoding })
      expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type'])
    },
  )

  it('error: payload_too_large at one byte over 64 KiB, declared or streamed', async () => {
    const { app } = makeTestApp()
    const text = (size: number): string => `"${'x'.repeat(size - 2)}"`
    const stream = (size: number): ReadableStream<Uint8Array> => new Blob([text(size)]).stream()
    const send = async (body: BodyInit, length?: number) => {
      const headers = { ...json, ...(length !== undefined && { 'Content-Length': String(length) }) }
      const init = { method: 'POST', headers, body, duplex: 'half' }
      const response = await app.request(`${TEST_ORIGIN}/api/inference/estimate`, init, {})
      return problem.parse(await response.json()).code
    }
    expect(await send(text(65_536), 65_536)).toBe('invalid_request')
    expect(await send(text(65_537), 65_537)).toBe('payload_too_large')
    expect(await send(stream(65_536))).toBe('invalid_request')
    expect(await send(stream(65_537))).toBe('payload_too_large')
  })

  it('behavior: webhooks may hold 1 MiB', async () => {
    const { client } = makeTestApp()
    const path = '/api/webhooks/model-provider'
    expect(codeOf(await client().post(path, 'x'.repeat(1_048_576), json))).toBe('not_found')
    expect(codeOf(await client().post(path, 'x'.repeat(1_048_577), json))).toBe('payload_too_large')
  })

  it('error: nesting that would exhaust the stack', async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    const answer = await makeTestApp().client().post('/api/inference/estimate', deep, json)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['{"__proto__":{"isAdmin":true},"task":"text-to-text","model":"a/b"}', 'invalid_request'],
    ['{"constructor":{"prototype":{"price":"0"}},"task":"text-to-text","model":"a/b"}', 'invalid_request'],
    ['{"task":"text-to-text","model":"__proto__"}', 'model_not_found'],
    [
      '{"task":"text-to-text","model":"meta/meta-llama-3-8b-instruct","input":{"prompt":"a","__proto__":{"b":1}}}',
      'invalid_request',
    ],
    ['{"task":"text-to-text","model":"constructor"}', 'model_not_found'],
    ['{"task":"text-to-text","model":"toString"}', 'model_not_found'],
  ])('error: prototype keys are unknown members or no model: %s', async (body, code) => {
    const answer = await makeTestApp().client().post('/api/inference/estimate', body, json)
    expect(codeOf(answer)).toBe(code)
    expect(Object.prototype).not.toHaveProperty('isAdmin')
  })
})

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
    ['POST', '/api/inference'],
    ['GET', '/api/inferences'],
    ['GET', '/api/account'],
    ['OPTIONS', '/api/auth/session'],
    ['OPTIONS', '/api/inference'],
    ['OPTIONS', '/api/inferences'],
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
      { 'X-CSRF-Token': good, Origin: 'https://evil.example' },
      { 'X-CSRF-Token': good, Origin: 'null' },
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

describe('headers', () => {
  it('default: every answer carries Date, errors and shared ones too', async () => {
    const client = makeTestApp().client()
    for (const path of ['/api/auth/session', '/api/account', '/api/nothing', '/api/health', '/.well-known/x402']) {
      const date = Date.parse((await client.get(path)).headers.get('Date') ?? '')
      expect(Math.abs(date - Date.now())).toBeLessThan(5_000)
    }
  })

  it('default: nothing is kept, framed, sniffed or run', async () => {
    const client = makeTestApp().client()
    for (const path of ['/api/auth/session', '/api/account', '/api/nothing', '/api/health']) {
      const { headers } = await client.get(path)
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'")
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=63072000/)
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('Permissions-Policy')).toContain('payment=()')
      expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
      expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('behavior: one log line per request, without path, query, cookie or whole address', async () => {
    const { signedInClient: client, log } = await signedIn()
    log.lines.length = 0
    await client.get('/api/inference/not-an-id?prompt=hush')
    expect(log.lines).toEqual([
      {
        level: 'info',
        event: 'request',
        fields: {
          method: 'GET',
          route: '/api/inference/:id',
          status: 404,
          ms: expect.any(Number),
          wallet: '0x19E7…ff2A',
        },
      },
    ])
  })
})

describe('rate limits', () => {
  it('error: rate_limited with Retry-After, RateLimit and RateLimit-Policy', async () => {
    const { client, rateLimiter } = makeTestApp()
    rateLimiter.state.allowed = false
    const caller = client()
    await caller.get('/api/auth/nonce')
    const answer = await caller.post('/api/auth/verify', {})
    expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited'])
    expect(answer.headers.get('Retry-After')).toBe('7')
    expect(answer.headers.get('RateLimit')).toBe('"verify";r=0;t=7')
    expect(answer.headers.get('RateLimit-Policy')).toBe('"verify";q=20;w=60')
    expect(answer.json).toMatchObject({ retryAfterSeconds: 7, nextAction: 'wait_and_retry' })
  })

  it('behavior: counts by the address Cloudflare reports, not by other headers', async () => {
    const { client, rateLimiter } = makeTestApp()
    const caller = client('2001:db8:1:2:3:4:5:6')
    await caller.send('POST', '/api/inference/estimate', { headers: { 'X-Forwarded-For': '1.2.3.4' } })
    expect(rateLimiter.state.taken).toEqual(['estimate:2001:db8:1:2::/64'])
  })

  it('behavior: nothing is counted where limits are off', async () => {
    const { client, rateLimiter } = makeTestApp({ config: makeTestConfig({ rateLimits: false }) })
    await client().send('POST', '/api/inference/estimate')
    expect(rateLimiter.state.taken).toEqual([])
  })
})

function catchError(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
