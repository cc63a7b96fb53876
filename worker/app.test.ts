import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../test/helpers/app.ts'
import { codeOf, problem, signedIn } from '../test/helpers/app-calls.ts'
import { makeTestConfig, TEST_ORIGIN } from '../test/helpers/config.ts'
import { makeFakeLog } from '../test/helpers/fakes/ports.ts'
import { createApp } from './app.ts'
import { loadConfig } from './config/env.ts'

/** Whatever went wrong, nothing of the inside may be in the answer. */
const INSIDES = /Failed query|params:|select |postgres:|neon\.tech|stack|node_modules|at Object|secret/i

function catchError(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

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

  it('behavior: headers of one problem are not on the next one of its code', async () => {
    const client = makeTestApp().client()
    const allows = [await client.get('/api/inference'), await client.post('/api/models', '{}')].map((answer) => {
      expect(answer.status).toBe(405)
      return answer.headers.get('Allow')
    })
    expect(allows).toEqual(['POST, OPTIONS', 'GET, HEAD, OPTIONS'])
    expect((await client.get('/api/inference', { Origin: TEST_ORIGIN })).headers.get('Vary')).toBe('Origin')
    expect((await client.get('/api/inference')).headers.has('Access-Control-Allow-Origin')).toBe(false)
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
    ['an Error that contains the statement', new Error('Failed query: select * from users\nparams: a secret prompt')],
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
    // Without a body it counts for its form too.
    expect(rateLimiter.state.taken).toEqual(['estimate:2001:db8:1:2::/64', 'malformed:2001:db8:1:2::/64'])
  })

  it.each([
    ['a padded type', { 'Content-Type': `application/json${' '.repeat(60_000)};x` }, '{}', 415],
    ['no JSON', { 'Content-Type': 'application/json' }, '{', 400],
    ['a wish padded with quotes', { 'Content-Type': 'text/plain', Prefer: '"\\'.repeat(30_000) }, '{}', 415],
  ])('error: G2 %s counts against its address, and is 429 in the end', async (_what, headers, body, status) => {
    const { client, rateLimiter } = makeTestApp()
    const send = () => client().send('POST', '/api/inference', { headers, body })
    expect((await send()).status).toBe(status)
    expect(rateLimiter.state.taken).toEqual(['malformed:203.0.113.7'])
    rateLimiter.state.allowed = false
    expect((await send()).status).toBe(429)
  })

  it('behavior: nothing is counted where limits are off', async () => {
    const { client, rateLimiter } = makeTestApp({ config: makeTestConfig({ rateLimits: false }) })
    await client().send('POST', '/api/inference/estimate')
    expect(rateLimiter.state.taken).toEqual([])
  })
})
