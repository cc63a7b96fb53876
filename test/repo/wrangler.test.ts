import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'

const ROOT = join(import.meta.dirname, '../..')
const CONFIGS = ['wrangler.toml', 'worker/mcp/wrangler.toml']
const ENVIRONMENTS = [undefined, 'preview', 'production']
const all = CONFIGS.flatMap((config) =>
  ENVIRONMENTS.map((env) => ({
    name: `${config} ${env ?? 'top level'}`,
    read: unstable_readConfig(
      { config: join(ROOT, config), ...(env !== undefined && { env }) },
      { hideWarnings: true },
    ),
  })),
)

it.each(all)('error: G7 $name keeps no invocation logs, which hold the headers of payments', ({ read }) => {
  expect(read.observability).toMatchObject({ enabled: true, logs: { enabled: true, invocation_logs: false } })
})

it('error: each limit of each environment counts by itself', () => {
  const ids = all.flatMap(({ read }) => read.ratelimits.map((limit: { namespace_id: string }) => limit.namespace_id))
  expect(ids.length).toBeGreaterThan(20)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})
