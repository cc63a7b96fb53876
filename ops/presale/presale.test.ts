import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createTestClient, http, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { WITH_ADMIN } from '../../contracts/checks/launch-checks.ts'
import type { PresaleAddresses } from '../../contracts/checks/runtimes.ts'
import example from '../../contracts/launch/example.json' with { type: 'json' }
import { deployPresale } from '../../contracts/script/deploy-presale.ts'
import { launchPlanSchema } from '../../contracts/script/launch-plan.ts'
import { startAnvil } from '../../dev/anvil/anvil.ts'
import { checkPresale, type PresaleCheckOptions } from './main.ts'

const SAFE: Address = '0x5afe000000000000000000000000000000005afe'
const USDC: Address = '0x1005Dc00000000000000000000000000000005dC'
const DAY_SECONDS = 24 * 3_600
const deployer = privateKeyToAccount(`0x${'43'.repeat(32)}`)
const admin = privateKeyToAccount(`0x${'44'.repeat(32)}`)

const newClient = (url: string) =>
  createTestClient({ mode: 'anvil', chain: foundry, account: deployer, transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)

let anvil: Awaited<ReturnType<typeof startAnvil>>
let client: ReturnType<typeof newClient>
let folder: string
let addresses: PresaleAddresses

beforeAll(async () => {
  anvil = await startAnvil({})
  client = newClient(anvil.url)
  for (const { address } of [deployer, admin]) await client.setBalance({ address, value: 10n ** 20n })
  await client.setBalance({ address: SAFE, value: 10n ** 20n })
  // Code that returns the number 2 to every call, as a Safe of threshold 2 does to `getThreshold()`.
  await client.setCode({ address: SAFE, bytecode: '0x600260005260206000f3' })
  const plan = { ...example, admin: admin.address, usdc: USDC }
  addresses = await deployPresale(client, launchPlanSchema.parse(plan))
  folder = await mkdtemp(join(tmpdir(), 'presale-'))
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
  await writeRecord(addresses)
})

afterAll(async () => {
  await anvil?.stop()
  await rm(folder, { recursive: true, force: true })
})

const writeRecord = (of: PresaleAddresses) =>
  writeFile(join(folder, 'addresses.json'), JSON.stringify({ 31337: { ...of, deployer: deployer.address } }))

const troubles = async (options: Partial<PresaleCheckOptions> = {}) => {
  const files = { planFile: join(folder, 'plan.json'), addressesFile: join(folder, 'addresses.json') }
  const results = await checkPresale({ rpcUrl: anvil.url, ...files, ...options })
  return results.filter(({ status }) => status !== 'green').map(({ check, status }) => `${check}: ${status}`)
}

/** Each contract's admin begins the transfer, and the Safe accepts it after the delay. */
async function handOver(): Promise<void> {
  for (const name of WITH_ADMIN) {
    const begin = { address: addresses[name], abi: presaleAbi, functionName: 'beginDefaultAdminTransfer' } as const
    await mined(client.writeContract({ ...begin, account: admin, args: [SAFE] }))
  }
  expect(await troubles()).toEqual(['admin is a multisig: red', 'no admin transfer pending: red'])
  await client.increaseTime({ seconds: 3 * DAY_SECONDS + 1 })
  await client.impersonateAccount({ address: SAFE })
  for (const name of WITH_ADMIN) {
    const accept = { address: addresses[name], abi: presaleAbi, functionName: 'acceptDefaultAdminTransfer' } as const
    await mined(client.writeContract({ ...accept, account: SAFE }))
  }
}

async function mined(sent: Promise<`0x${string}`>): Promise<void> {
  const receipt = await client.waitForTransactionReceipt({ hash: await sent })
  expect(receipt.status).toBe('success')
}

test('default: a launch is red until its admin is a Safe, then green', async () => {
  expect(await troubles()).toEqual(['admin is a multisig: red'])
  await handOver()
  expect(await troubles()).toEqual([])
})

test('error: another contract at a recorded address is red', async () => {
  await writeRecord({ ...addresses, teamVault: addresses.devVault })
  expect(await troubles()).toEqual([
    'code of this build: red',
    'routes: red',
    'vesting: red',
    'minted table: red',
    'separate operators: red',
  ])
})

test.each<[string, Partial<PresaleCheckOptions>, string]>([
  ['no plan', { planFile: '/nonexistent/base.json' }, 'plan of the launch: red'],
  ['no node', { rpcUrl: 'http://127.0.0.1:1' }, 'node: red'],
  ['no recorded launch', {}, 'record of the launch: red'],
])('error: with %s, what is missing is red and all else unknown', async (_case, options, missing) => {
  await writeFile(join(folder, 'addresses.json'), '{}')
  const [first, ...rest] = await troubles(options)
  expect(first).toBe(missing)
  expect(rest.length).toBeGreaterThan(10)
  expect(rest.filter((line) => !line.endsWith(': unknown'))).toEqual([])
})

test('default: the plan of the local network is sound', async () => {
  const missing = await troubles({ planFile: join(import.meta.dirname, '../../contracts/launch/local.json') })
  expect(missing[0]).toBe('record of the launch: red')
})
