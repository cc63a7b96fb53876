import { expect, test } from 'vitest'
import router from './router.ts'

const unreachable = { fetch: () => Promise.reject(new Error('not for the worker')) }

test('error: a caller cannot change its address with a header of the edge', async () => {
  const seen: (string | null)[] = []
  const service = {
    async fetch(request: Request | string) {
      const { headers } = new Request(request)
      seen.push(headers.get('CF-Connecting-IP'))
      return new Response('{}')
    },
  }
  for (const headers of [{}, { 'CF-Connecting-IP': '203.0.113.7' }, { 'cf-connecting-ip': '::1' }]) {
    for (const path of ['/api/models', '/mcp']) {
      const request = new Request(`http://127.0.0.1:8787${path}`, { headers })
      await router.fetch(request, { WORKER: service, MCP: service, SITES: [], DEV: null })
    }
  }
  expect(seen).toEqual(Array(6).fill('127.0.0.1'))
})

test('error: a Host that changes the path of the request is refused', async () => {
  const request = (host: string) => new Request('http://127.0.0.1/', { method: 'PURGE', headers: { host } })
  const answer = async (host: string) =>
    (await router.fetch(request(host), { WORKER: unreachable, MCP: unreachable, SITES: [], DEV: null })).status
  for (const host of ['127?.0.0.1:1', '127.0.0.1/x', '127.0.0.1#', 'a b', 'me@host'])
    expect(await answer(host)).toBe(400)
  for (const host of ['127.0.0.1:8787', 'localhost', '[::1]:8787', 'coinslot.example'])
    expect(await answer(host)).toBe(405)
})

test.each(['/api/models', '/v1/models', '/openapi.json', '/.well-known/x402.json', '/.well-known/security.txt'])(
  'default: %s reaches the worker',
  async (path) => {
    const worker = { fetch: async () => new Response('the worker') }
    const request = new Request(`http://127.0.0.1:8787${path}`)
    const answer = await router.fetch(request, {
      WORKER: worker,
      MCP: unreachable,
      SITES: [],
      DEV: null,
    })
    expect(await answer.text()).toBe('the worker')
  },
)

test('default: a path below that of another site is answered by that site, with its own headers', async () => {
  const folder = (name: string) => ({
    fetch: async (request: Request | string) =>
      new Response(`${name} ${new URL(new Request(request).url).pathname}`, {
        headers: { 'content-type': 'application/octet-stream' },
      }),
  })
  const site = (path: string, binding: string) => ({
    ...{ path, binding, rewrites: [], redirects: [] },
    headers: [{ pattern: '^/claim$', set: [['x-site', binding]] satisfies [string, string][], remove: [] }],
  })
  const env = { WORKER: unreachable, MCP: unreachable, SITE: folder('site'), PRESALE: folder('presale'), DEV: null }
  const answer = async (path: string) => {
    const sites = [site('', 'SITE'), site('/presale', 'PRESALE')]
    const response = await router.fetch(new Request(`http://127.0.0.1${path}`), { ...env, SITES: sites })
    return [await response.text(), response.headers.get('x-site')]
  }
  expect(await answer('/presale/claim')).toEqual(['presale /claim.html', 'PRESALE'])
  expect(await answer('/presale/a/b.css')).toEqual(['presale /a/b.css', null])
  expect(await answer('/claim')).toEqual(['site /claim.html', 'SITE'])
  expect(await answer('/presales')).toEqual(['site /presales.html', null])
})
