import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import mcpWorker from './index.ts'

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')
const all = (text: string, pattern: RegExp): (string | undefined)[] =>
  [...text.matchAll(pattern)].map(([, found]) => found)

it('behavior: both workers have the same compatibility date and zones', async () => {
  const [api, mcp] = await Promise.all([read('../../wrangler.toml'), read('wrangler.toml')])
  const date = /^compatibility_date = (.+)$/gm
  expect(all(mcp, date)).toEqual(all(api, date))
  expect(new Set(all(mcp, /zone_name = (\S+)/g))).toEqual(new Set(all(api, /zone_name = (\S+)/g)))
})

it('behavior: the MCP server calls the API of the same environment, by wrangler’s names', async () => {
  const [api, mcp] = await Promise.all([read('../../wrangler.toml'), read('wrangler.toml')])
  const [, name] = /^name = "(.+)"$/m.exec(api) ?? []
  expect(all(mcp, /^service = "(.+)"$/gm)).toEqual([name, `${name}-preview`, `${name}-production`])
})

it('behavior: switched off, the API answers that there is no such path', async () => {
  const API = { fetch: async () => Response.json({ code: 'not_found' }, { status: 404 }) }
  const env = { MCP_ROUTES: 'false', API }
  const answer = await mcpWorker.fetch(new Request('https://coinslot.example/mcp', { method: 'POST' }), env)
  expect([answer.status, await answer.json()]).toEqual([404, { code: 'not_found' }])
})

it('behavior: all addresses of an IPv6 /64 count as one caller, as at the API', async () => {
  const keys: string[] = []
  const env = {
    API: { fetch: async () => Response.error() },
    LIMIT_MCP: { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) === 0 }) },
  }
  for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '203.0.113.7']) {
    const headers = { 'CF-Connecting-IP': address, 'Content-Type': 'application/json' }
    const request = new Request('https://coinslot.example/mcp', { method: 'POST', body: '{}', headers })
    expect((await mcpWorker.fetch(request, env)).status).toBe(429)
  }
  expect(keys).toEqual(['2001:db8:1:2::/64', '2001:db8:1:2::/64', '203.0.113.7'])
})
