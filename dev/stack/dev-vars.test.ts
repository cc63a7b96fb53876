import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../worker/config/env.ts'
import { ROOT } from '../process/built-folder.ts'
import { PEERS } from '../worker/testing.ts'
import { workerEnv } from '../worker/worker-env.ts'
import { openDevVars } from './dev-vars.ts'

const ENV = workerEnv(PEERS, {})
/** A person's own file: a comment, a setting that stays in force, keys, and no line break at the end. */
const OWN =
  "# mine\nINFERENCE_RATE_PER_SEC=0.002\nMODEL_PROVIDER_API_TOKEN='r8_own'\nMODEL_PROVIDER_FILE_HOSTS=files.example"

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'coinslot-dev-vars-'))
  writeFileSync(join(root, 'wrangler.toml'), 'name = "coinslot"\n')
})
afterEach(() => rmSync(root, { recursive: true }))

const file = (): string => join(root, '.dev.vars')
const read = (): string => readFileSync(file(), 'utf8')
const exists = (): boolean => statSync(file(), { throwIfNoEntry: false }) !== undefined
const git = (...words: string[]) => execFileSync('git', words, { cwd: root })

test('default: M5 the file has what the worker needs, at wrangler’s port', async () => {
  const devVars = await openDevVars(root)
  expect([devVars.port, exists()]).toEqual([8787, false])
  expect(await devVars.write(ENV)).toEqual([])
  const config = loadConfig(parseEnv(read()))
  expect(config).toEqual({ ...loadConfig(ENV), publicOrigins: ['http://localhost:8787', 'http://127.0.0.1:8787'] })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  await devVars.remove()
  expect(exists()).toBe(false)
})

test('behavior: M5 the port is that of wrangler.toml', async () => {
  writeFileSync(join(root, 'wrangler.toml'), 'name = "coinslot"\n[dev]\nport = 9123\n')
  const devVars = await openDevVars(root)
  await devVars.write(ENV)
  expect([devVars.port, loadConfig(parseEnv(read())).publicOrigins[0]]).toEqual([9123, 'http://localhost:9123'])
})

test('behavior: M5 a file of one’s own keeps its lines; what does not count is named', async () => {
  writeFileSync(file(), OWN, { mode: 0o640 })
  const devVars = await openDevVars(root)
  expect(await devVars.write(ENV)).toEqual(['MODEL_PROVIDER_API_TOKEN', 'MODEL_PROVIDER_FILE_HOSTS'])
  expect(read().startsWith(`${OWN}\n`)).toBe(true)
  const config = loadConfig(parseEnv(read()))
  expect(config).toMatchObject({ ratePerSec: '0.002', provider: { token: PEERS.secrets.providerToken } })
  expect(config.provider.fileHosts).toContain('127.0.0.1')
  await devVars.remove()
  expect([read(), statSync(file()).mode & 0o777]).toEqual([OWN, 0o640])
})

test('behavior: M5 what a killed start left is replaced, and what another start wrote stays', async () => {
  writeFileSync(file(), OWN)
  const killed = await openDevVars(root)
  await killed.write(ENV)
  const next = await openDevVars(root)
  await next.write({ ...ENV, DEV_RPC_URL: 'http://127.0.0.1:99' })
  await killed.remove()
  expect(parseEnv(read())['DEV_RPC_URL']).toBe('http://127.0.0.1:99')
  expect(read().match(/>>>/g)).toHaveLength(1)
  await next.remove()
  expect(read()).toBe(OWN)
})

test('behavior: M5 lines that are added below the block stay too', async () => {
  const devVars = await openDevVars(root)
  await devVars.write(ENV)
  writeFileSync(file(), `${read()}ENFORCE_TIERS=true\n`)
  const again = await openDevVars(root)
  await again.write({ ...ENV, MIN_CONFIRMATIONS: '2' })
  expect(parseEnv(read())).toMatchObject({ ENFORCE_TIERS: 'true', MIN_CONFIRMATIONS: '2' })
  await again.remove()
  expect(read()).toBe('ENFORCE_TIERS=true\n')
})

test('error: M5 nothing is written where git would take the file', async () => {
  git('init', '--quiet')
  await expect(openDevVars(root)).rejects.toThrow('git does not ignore .dev.vars')
  writeFileSync(join(root, '.gitignore'), '.dev.vars\n')
  await (await openDevVars(root)).write(ENV)
  git('add', '--force', '.dev.vars')
  await expect(openDevVars(root)).rejects.toThrow('git does not ignore .dev.vars')
})

test('error: M5 this repository ignores every file of wrangler’s variables but the example', () => {
  const names = ['.dev.vars', '.dev.vars.preview', '.dev.vars.example', '.coinslot/dev-vars.1']
  const ignored = execFileSync('git', ['check-ignore', '--no-index', ...names], { cwd: ROOT })
    .toString()
    .split('\n')
  expect(ignored.filter(Boolean)).toEqual(['.dev.vars', '.dev.vars.preview', '.coinslot/dev-vars.1'])
})

test.each([
  ['another network', { PAYMENT_NETWORKS: 'eip155:84532' }, /local chain only, not for eip155:84532/],
  ['a second network', { PAYMENT_NETWORKS: 'eip155:31337,eip155:84532' }, /not for eip155:84532/],
  ['a chain elsewhere', { DEV_RPC_URL: 'https://rpc.example/key' }, /not for eip155:31337 at rpc.example$/],
])('error: M5 %s is refused, and nothing is written', async (_, changed, message) => {
  const devVars = await openDevVars(root)
  await expect(devVars.write({ ...ENV, ...changed })).rejects.toThrow(message)
  expect(exists()).toBe(false)
})

test.each([
  ['PAYMENT_NETWORKS="eip155:8453"', /for ENVIRONMENT=development on eip155:8453, not for the local chain/],
  ['ENVIRONMENT=production', /for ENVIRONMENT=production/],
  ['A=1\n# >>> npm start -- --write-dev-vars\nB=2\n', /once each, or neither/],
])('error: M5 a file with %j stays as it is', async (text, message) => {
  writeFileSync(file(), text)
  await expect(openDevVars(root)).rejects.toThrow(message)
  expect(read()).toBe(text)
})

test('error: M5 a link is not written through', async () => {
  writeFileSync(join(root, 'elsewhere'), OWN)
  symlinkSync(join(root, 'elsewhere'), file())
  await expect(openDevVars(root)).rejects.toThrow('a link or a folder')
})
