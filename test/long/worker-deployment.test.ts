import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'

const ROOT = join(import.meta.dirname, '../..')
const CLI = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'wrangler-dist/cli.js')
const ENV = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

let outdir: string
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'coinslot-deployment-'))
})
afterAll(() => rm(outdir, { recursive: true, force: true }))

test.each(['preview', 'production'])('default: a dry run of the %s deployment warns of nothing', async (name) => {
  const args = [CLI, 'deploy', '--dry-run', '--minify', '--env', name, '--outdir', join(outdir, name)]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: ENV })
  expect(`${stdout}${stderr}`).not.toMatch(/warning|error|deprecated|unexpected/i)
  expect(stdout).toMatch(new RegExp(`WAKE_UPS \\(coinslot-${name}-wake-ups\\)\\s+Queue`))
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), env: name })
  expect(config.placement).toEqual({ mode: 'smart' })
  expect(config.observability).toMatchObject({ enabled: true, traces: { enabled: true } })
})
