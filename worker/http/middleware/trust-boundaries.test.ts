import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Answer, K2, makeTestApp, type TestClient } from '../../../test/helpers/app.ts'
import { TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { sealFor } from '../../../test/helpers/cookies.ts'

const codeOf = ({ json }: Answer): unknown => z.object({ code: z.string() }).safeParse(json).data?.code

/** Origins that are not ours, some of which a careless comparison takes for ours. */
const STRANGERS = [
  ['another site', 'https://evil.example'],
  ['a page without an origin', 'null'],
  ['a subdomain of ours', 'https://sub.coinslot.example'],
  ['a parent of ours', 'https://example'],
  ['our name as a prefix', 'https://coinslot.example.evil.example'],
  ['our name as a suffix', 'https://evilcoinslot.example'],
  ['our name as user info', 'https://coinslot.example@evil.example'],
  ['our name in capitals', 'https://COINSLOT.EXAMPLE'],
  ['our name over http', 'http://coinslot.example'],
  ['our name with another port', 'https://coinslot.example:8443'],
  ['our name with its default port', 'https://coinslot.example:443'],
  ['our name with a trailing dot', 'https://coinslot.example.'],
  ['our name with a slash', 'https://coinslot.example/'],
  ['two origins', `${TEST_ORIGIN} https://evil.example`],
  ['a list of origins', `${TEST_ORIGIN}, https://evil.example`],
  ['an empty origin', ''],
] as const

const PRIVATE = [
  ['GET', '/api/auth/session'],
  ['GET', '/api/auth/nonce'],
  ['GET', '/api/admin/payments'],
  ['POST', '/api/auth/verify'],
  ['POST', '/api/auth/logout'],
  ['POST', '/api/account'],
  ['PUT', '/api/inference/7d3e1f6a-0000-4000-8000-000000000000/share'],
  ['POST', '/api/webhooks/model-provider'],
] as const

/** Calls that can sign in by headers alone: any page may make them, and is signed out there. */
const OPEN = [
  ['GET', '/api/account'],
  ['GET', '/api/inferences'],
  ['GET', '/api/inference/7d3e1f6a-0000-4000-8000-000000000000'],
  ['GET', '/api/inference/7d3e1f6a-0000-4000-8000-000000000000/receipt'],
  ['POST', '/api/inference'],
] as const

const emptyDatabase = { run: async () => [], batch: async () => [] }

async function signedIn(kit = makeTestApp()): Promise<TestClient> {
  const client = await kit.signedIn()
  await client.get('/api/auth/nonce')
  return client
}

describe('CORS', () => {
  it.each(STRANGERS)('behavior: %s may read no private answer, whatever its status', async (_what, Origin) => {
    const client = await signedIn()
    for (const [method, path] of PRIVATE) {
      const { headers } = await client.send(method, path, { headers: { Origin } })
      const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect(names, `${method} ${path}`).toEqual([])
    }
  })

  it.each(STRANGERS)(
    'error: B16 %s is signed out at the open calls, whatever cookie it sends',
    async (_what, Origin) => {
      const client = await signedIn(makeTestApp({ database: emptyDatabase }))
      for (const [method, path] of OPEN) {
        const token = client.cookies.get('__Host-csrf') ?? ''
        const sent = method === 'POST' ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : {}
        const answer = await client.send(method, path, {
          ...sent,
          headers: { ...sent.headers, Origin, 'X-CSRF-Token': token },
        })
        expect([answer.status, codeOf(answer)], `${method} ${path}`).toEqual([402, 'payment_required'])
        expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
        expect(answer.headers.has('Access-Control-Allow-Credentials')).toBe(false)
      }
    },
  )

  it('behavior: a preflight echoes what stock clients send, and nothing else', async () => {
    const asked =
      'content-type, payment-signature, sign-in-with-x, x-stainless-os, mcp-protocol-version, cookie, x-other'
    const headers = {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': asked,
    }
    const answer = await makeTestApp().client().send('OPTIONS', '/api/inference', { headers })
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe(
      'content-type, payment-signature, sign-in-with-x, x-stainless-os, mcp-protocol-version',
    )
  })

  it.each(STRANGERS)('behavior: the preflight of %s allows nothing', async (_what, Origin) => {
    const client = makeTestApp().client()
    for (const path of ['/api/auth/logout', '/api/auth/verify', '/api/account']) {
      const headers = {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type, payment-signature, x-csrf-token',
      }
      const answer = await client.send('OPTIONS', path, { headers })
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect([answer.status, names]).toEqual([204, []])
    }
  })

  it('behavior: no answer goes to any origin together with credentials', async () => {
    const client = await signedIn()
    for (const path of ['/api/models', '/api/stats', '/api/openapi.json']) {
      const { headers } = await client.get(path, { Origin: 'https://evil.example' })
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(headers.has('Access-Control-Allow-Credentials')).toBe(false)
    }
  })

  it('behavior: a preflight padded with 100,000 spaces is answered at once', async () => {
    const client = makeTestApp().client()
    const headers = {
      Origin: TEST_ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': `a${' '.repeat(100_000)}b`,
    }
    await client.send('OPTIONS', '/api/inference')
    const before = process.cpuUsage()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.send('OPTIONS', '/api/inference', { headers })),
    )
    // Of this process alone, so that a busy machine does not count.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  })
})

describe('CSRF', () => {
  const PATHS = ['/api/auth/verify', '/api/auth/logout', '/api/inference']
  const refused = [403, 'csrf_failed']

  it.each(STRANGERS)('error: csrf_failed for a post of %s, good token or not', async (_what, Origin) => {
    const client = await signedIn()
    for (const path of PATHS.filter((it) => it !== '/api/inference')) {
      const answer = await client.post(path, {}, { Origin })
      expect([answer.status, codeOf(answer)], path).toEqual(refused)
    }
  })

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'task=text-to-text'],
    ['a form in plain text', 'text/plain', '{"task":"text-to-text","x":"="}'],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--'],
    ['a beacon', 'application/json', '{}'],
  ])('error: csrf_failed for %s, which can send our cookies but not our header', async (_what, type, body) => {
    const client = await signedIn()
    for (const path of PATHS) {
      const answer = await client.send('POST', path, { body, headers: { 'Content-Type': type } })
      expect([answer.status, codeOf(answer)], path).toEqual(refused)
    }
  })

  it('error: csrf_failed without the cookie, and for a forged cookie equal to the header', async () => {
    const client = await signedIn()
    const good = client.cookies.get('__Host-csrf') ?? ''
    const [random = '', signature = ''] = good.split('.')
    const changed = (good.startsWith('A') ? 'B' : 'A') + good.slice(1)
    const pairs: [string, string][] = [
      ['', good],
      ['x', 'x'],
      [random, random],
      [`${random}.`, `${random}.`],
      [`.${signature}`, `.${signature}`],
      [`${good}.`, `${good}.`],
      [`${good}.${signature}`, `${good}.${signature}`],
      [changed, changed],
    ]
    for (const [cookie, header] of pairs) {
      client.cookies.set('__Host-csrf', cookie)
      const answer = await client.post('/api/auth/logout', undefined, { 'X-CSRF-Token': header })
      expect([answer.status, codeOf(answer)], cookie).toEqual(refused)
    }
  })

  it('error: csrf_failed for tokens under other cookie names, as a sibling could set them', async () => {
    const kit = makeTestApp()
    const thief = kit.client()
    await thief.get('/api/auth/nonce')
    const planted = thief.cookies.get('__Host-csrf') ?? ''
    const client = await signedIn(kit)
    client.cookies.delete('__Host-csrf')
    for (const name of ['csrf', '__Secure-csrf', '__host-csrf', ' __Host-csrf']) {
      const Cookie = `__Host-session=${client.cookies.get('__Host-session')}; ${name === ' __Host-csrf' ? '\u00a0__Host-csrf' : name}=${planted}`
      const answer = await client.send('POST', '/api/auth/logout', { headers: { Cookie, 'X-CSRF-Token': planted } })
      expect([answer.status, codeOf(answer)], name).toEqual(refused)
    }
  })

  it('behavior: a session planted under the plain name is ignored on https', async () => {
    const kit = makeTestApp()
    const stolen = await sealFor(kit.deps.config, K2.address)
    const answer = await kit.client().get('/api/auth/session', { Cookie: `session=${stolen}` })
    expect(answer.json).toEqual({ address: null, chainId: null })
  })
})

describe('numbers in JSON', () => {
  const body = (input: string) => `{"task":"text-to-image","model":"black-forest-labs/flux-schnell","input":${input}}`
  it.each([
    '{"prompt":"x","seed":9007199254740993}',
    '{"prompt":"x","num_outputs":1e400}',
    '{"prompt":"x","seed":-0.5}',
  ])('error: invalid_request for a number that JSON cannot carry exactly, and for none: %s', async (input) => {
    const answer = await makeTestApp().client().post('/api/inference/estimate', body(input))
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })
})

describe('parameters', () => {
  it.each([
    'limit=5&limit=100',
    'limit[]=5',
    'limit=5%00',
    'task=text-to-text&task=text-to-image',
    '__proto__=1',
    'LIMIT=5',
  ])('error: invalid_request for %s: a parameter counts once, under its own name', async (query) => {
    const answer = await (await signedIn()).get(`/api/inferences?${query}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })
})
