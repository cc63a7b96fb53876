import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import example from '../../contracts/launch/example.json' with { type: 'json' }
import { forgeBinary } from '../../contracts/script/forge.ts'
import { recordDeployment } from '../../contracts/script/record.ts'
import { startAnvil } from '../../dev/anvil/anvil.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { checkPresale } from '../../ops/presale/main.ts'
import { deploySafe } from '../helpers/safe.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Beside `contracts`, so that the paths in foundry.toml hold. */
const COPY = join(ROOT, '.mutants-scripts')
const PARTS = ['src', 'script', 'tools', 'foundry.toml', 'addresses.json']
const OWNERS = ['48', '49', '4a'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`).address)
const USDC: Address = '0x1005Dc00000000000000000000000000000005dC'
/** This account gets ether; the other has none. */
const RICH = `0x${'47'.repeat(32)}` as const
const rich = privateKeyToAccount(RICH)
const POOR = `0x${'46'.repeat(32)}`

let anvil: Awaited<ReturnType<typeof startAnvil>>
let safe: Address

beforeAll(async () => {
  anvil = await startAnvil({})
  const rpc = createRpc(anvil.url)
  await rpc.call('anvil_setBalance', rich.address, '0x56bc75e2d63100000')
  // Code that answers 6 to every call: the script asks for the decimals.
  await rpc.call('anvil_setCode', USDC, '0x60065f5260205ff3')
  const client = createClient({ chain: foundry, account: rich, transport: http(anvil.url) })
  safe = await deploySafe(client, OWNERS, 2n)
  await mkdir(join(COPY, 'launch'), { recursive: true })
  await cp(join(ROOT, 'contracts/launch/known.json'), join(COPY, 'launch/known.json'))
  for (const part of PARTS) await cp(join(ROOT, 'contracts', part), join(COPY, part), { recursive: true })
  await writeFile(join(COPY, 'launch/local.json'), JSON.stringify({ ...example, usdc: USDC, admin: safe }))
}, 60_000)
afterAll(async () => {
  await anvil?.stop()
  await rm(COPY, { recursive: true, force: true })
})

/** Runs a script with a broadcast; returns its exit code and what it printed. */
function broadcast(script: string, key: string) {
  const variables = { AIC_TREASURY_ADDRESS: safe, AIC_BURN_BPS: '2000', LAUNCH_NETWORK: 'local' }
  const words = [
    'script',
    `script/${script}.s.sol`,
    '--rpc-url',
    anvil.url,
    '--private-key',
    key,
    '--broadcast',
    '--slow',
  ]
  const env = { ...process.env, ...variables }
  const { status, stdout, stderr } = spawnSync(forgeBinary(), words, { cwd: COPY, env, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

const files = { broadcastDir: join(COPY, 'broadcast'), addressesFile: join(COPY, 'addresses.json') }
const record = (script: string) => recordDeployment({ script, rpcUrl: anvil.url, ...files, force: false })

test.each(['Deploy', 'Launch'])('error: a failed broadcast of %s leaves no address behind', async (script) => {
  expect(broadcast(script, POOR).status).not.toBe(0)
  await expect(record(script)).rejects.toThrow()
  expect(JSON.parse(await readFile(files.addressesFile, 'utf8'))).toEqual({})
})

test('default: both scripts deploy, are recorded, and refuse to deploy once more', async () => {
  for (const script of ['Deploy', 'Launch']) {
    const { status, output } = broadcast(script, RICH)
    expect([script, status, status === 0 ? '' : output]).toEqual([script, 0, ''])
  }
  expect(Object.keys(await record('Deploy'))).toHaveLength(4)
  expect(Object.keys(await record('Launch'))).toHaveLength(9)
  for (const script of ['Deploy', 'Launch']) expect(broadcast(script, RICH).output).toContain('AlreadyRecorded')
  const planFile = join(COPY, 'launch/local.json')
  const results = await checkPresale({ rpcUrl: anvil.url, planFile, addressesFile: files.addressesFile })
  expect(results.filter(({ status }) => status !== 'green')).toEqual([])
})
