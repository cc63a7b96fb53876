import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')
const all = (text: string, pattern: RegExp): (string | undefined)[] =>
  [...text.matchAll(pattern)].map(([, found]) => found)

it('behavior: both workers have the same origins, compatibility date and zones', async () => {
  const [api, mcp] = await Promise.all([read('../wrangler.toml'), read('wrangler.toml')])
  for (const pattern of [/^PUBLIC_ORIGIN = (.+)$/gm, /^compatibility_date = (.+)$/gm]) {
    expect(all(mcp, pattern)).toEqual(all(api, pattern))
  }
  expect(new Set(all(mcp, /zone_name = (\S+)/g))).toEqual(new Set(all(api, /zone_name = (\S+)/g)))
})

it('behavior: the MCP server calls the API of the same environment, by wrangler’s names', async () => {
  const [api, mcp] = await Promise.all([read('../wrangler.toml'), read('wrangler.toml')])
  const [, name] = /^name = "(.+)"$/m.exec(api) ?? []
  expect(all(mcp, /^service = "(.+)"$/gm)).toEqual([name, `${name}-preview`, `${name}-production`])
})
