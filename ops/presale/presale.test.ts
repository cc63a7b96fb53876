import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, encodeFunctionData, getAddress, type Hex, numberToHex, parseAbi, sliceHex } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aicTokenAbi } from '../../contracts/abi/aic-token.ts'
import { liquidityVaultAbi } from '../../contracts/abi/liquidity-vault.ts'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { WITH_ADMIN } from '../../contracts/checks/launch-checks.ts'
import type { PresaleAddresses, VaultName } from '../../contracts/checks/runtimes.ts'
import { deployPresale } from '../../contracts/script/deploy-presale.ts'
import { startAnvil } from '../../dev/anvil/anvil.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { installUsdc, usdcAbi, usdcOnChain } from '../../dev/anvil/usdc.ts'
import {
  acceptTransfer,
  beginTransfer,
  DEPARTURES,
  deployer,
  MILLION_AIC,
  newClient,
  owners,
  plan,
  planJson,
  roleOf,
  stranger,
  two,
} from '../../test/helpers/launch.ts'
import { callAsSafe, deploySafe } from '../../test/helpers/safe.ts'
import { checkPresale, type PresaleCheckOptions } from './main.ts'

const safeAbi = parseAbi(['function changeThreshold(uint256 threshold)', 'function enableModule(address module)'])
/** In slot 0 of a Safe's proxy: the contract whose code it runs. */
const SINGLETON_SLOT = numberToHex(0, { size: 32 })
let anvil: Awaited<ReturnType<typeof startAnvil>>
let client: ReturnType<typeof newClient>
let folder: string
let addresses: PresaleAddresses
let safe: Address

beforeAll(async () => {
  anvil = await startAnvil({})
  client = newClient(anvil.url)
  await client.setBalance({ address: deployer.address, value: 10n ** 20n })
  safe = await deploySafe(
    client,
    owners.map(({ address }) => address),
    2n,
  )
  await client.impersonateAccount({ address: deployer.address })
  await installUsdc(createRpc(anvil.url), usdcOnChain(foundry.id), deployer.address)
  addresses = await deployPresale(client, plan)
  folder = await mkdtemp(join(tmpdir(), 'presale-'))
  const record = { ...addresses, deployer: deployer.address }
  await writeFile(join(folder, 'addresses.json'), JSON.stringify({ 31337: record }))
  await writeFile(join(folder, 'plan.json'), JSON.stringify(planJson))
})

afterAll(async () => {
  await anvil?.stop()
  await rm(folder, { recursive: true, force: true })
})

const troubles = async (options: Partial<PresaleCheckOptions> = {}) => {
  const files = { planFile: join(folder, 'plan.json'), addressesFile: join(folder, 'addresses.json') }
  const results = await checkPresale({ rpcUrl: anvil.url, ...files, ...options })
  return results.filter(({ status }) => status !== 'green').map(({ check, status }) => `${check}: ${status}`)
}

const write = async (name: string, content: unknown): Promise<string> => {
  const file = join(folder, name)
  const text = JSON.stringify(content, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
  await writeFile(file, text)
  return file
}

async function mined(sent: Promise<Hex>): Promise<void> {
  const receipt = await client.waitForTransactionReceipt({ hash: await sent })
  expect(receipt.status).toBe('success')
}

/** Has any account call a contract, without its key. */
async function callAs(account: Address, call: { to: Address; data: Hex }): Promise<void> {
  await client.impersonateAccount({ address: account })
  await client.setBalance({ address: account, value: 10n ** 20n })
  await mined(client.sendTransaction({ ...call, account, gas: 1_000_000n }))
}

const asSafe = (to: Address, data: Hex) => callAsSafe(client, safe, two, { to, data })
/** Each contract's admin begins the transfer, and the Safe accepts it after the delay. */
async function handOver(): Promise<void> {
  for (const name of WITH_ADMIN) await callAs(plan.admin, { to: addresses[name], data: beginTransfer(safe) })
  expect(await troubles()).toEqual(['admin is a multisig: red', 'no admin transfer pending: red'])
  await client.increaseTime({ seconds: plan.adminDelay + 1 })
  for (const name of WITH_ADMIN) await asSafe(addresses[name], acceptTransfer)
}

test('default: a launch is red until its admin is a Safe of two signatures, then green', async () => {
  expect(await troubles()).toEqual(['admin is a multisig: red'])
  await handOver()
  expect(await troubles()).toEqual([])
})

test('behavior: the Safe acts with two signatures; one owner or the old admin cannot', async () => {
  const to = addresses.liquidityVault
  const contract = { address: to, abi: liquidityVaultAbi } as const
  const call = { to, data: encodeFunctionData({ ...contract, functionName: 'setPayee', args: [stranger, true] }) }
  const payeeFrom = () => client.readContract({ ...contract, functionName: 'payeeFrom', args: [stranger] })
  await expect(callAsSafe(client, safe, owners.slice(0, 1), call)).rejects.toThrow('reverted')
  await expect(callAs(plan.admin, call)).rejects.toThrow()
  expect(await payeeFrom()).toBe(0n)
  await callAsSafe(client, safe, two, call)
  const { timestamp } = await client.getBlock()
  expect(await payeeFrom()).toBe(timestamp + BigInt(plan.notice))
})

test.each<[string, Partial<PresaleCheckOptions>, string]>([
  ['no plan', { planFile: '/nonexistent/base.json' }, 'plan of the launch: red'],
  ['no node', { rpcUrl: 'http://127.0.0.1:1' }, 'node: red'],
  ['no recorded launch', {}, 'record of the launch: red'],
])('error: with %s, what is missing is red and all else unknown', async (_case, options, missing) => {
  const [first, ...rest] = await troubles({ addressesFile: await write('none.json', {}), ...options })
  expect(first).toBe(missing)
  expect(rest.length).toBeGreaterThan(10)
  expect(rest.filter((line) => !line.endsWith(': unknown'))).toEqual([])
})

const changeRole = (functionName: 'grantRole' | 'revokeRole', name: VaultName, account: Address) =>
  asSafe(
    addresses[`${name}Vault`],
    encodeFunctionData({ abi: liquidityVaultAbi, functionName, args: [roleOf(name), account] }),
  )
const moveAic = (from: Address, to: Address, amount: bigint) => {
  const data = encodeFunctionData({ abi: aicTokenAbi, functionName: 'transfer', args: [to, amount] })
  return callAs(from, { to: addresses.aicToken, data })
}

async function changeCode(address: Address, change: (code: string) => string): Promise<void> {
  const code = (await client.getCode({ address })) ?? '0x'
  await client.setCode({ address, bytecode: `0x${change(code.slice(2))}` })
}

/** Changes a value that the deployment wrote into the code, in all its places. */
const changeValue = (address: Address, from: bigint, to: bigint): Promise<void> => {
  const [old, other] = [from, to].map((value) => numberToHex(value, { size: 32 }).slice(2))
  return changeCode(address, (code) => {
    expect(code).toContain(old)
    return code.replaceAll(old ?? '', other ?? '')
  })
}

const toMinute = (name: keyof PresaleAddresses, time: 'coolingOff' | 'notice') =>
  changeValue(addresses[name], BigInt(plan[time]), 60n)

/** A purchase of 100 USDC in the first phase, for which the claim module owes AIC. */
async function sellSome(): Promise<void> {
  const { address: to } = usdcOnChain(foundry.id)
  const amount = 100_000_000n
  const mint = encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [stranger, amount] })
  const approve = { abi: aicTokenAbi, functionName: 'approve', args: [addresses.presale, amount] } as const
  await callAs(deployer.address, { to, data: mint })
  await callAs(stranger, { to, data: encodeFunctionData(approve) })
  await client.setNextBlockTimestamp({ timestamp: BigInt(plan.phases[0]?.start ?? 0) })
  const buy = { abi: presaleAbi, functionName: 'buy', args: [1n, amount] } as const
  await callAs(stranger, { to: addresses.presale, data: encodeFunctionData(buy) })
}

/** The faults that the chain can have. */
const FAULTS: [fault: string, make: () => Promise<void>, reds: string[]][] = [
  [
    'no contract at an address',
    () => client.setCode({ address: addresses.aicToken, bytecode: '0x' }),
    ['eight contracts', 'code of this build'],
  ],
  [
    'code that differs in one byte',
    () => changeCode(addresses.presale, (code) => code.replace(/..$/, (last) => (last === '00' ? '01' : '00'))),
    ['code of this build'],
  ],
  [
    'a sale that pays into another vault',
    () =>
      changeCode(addresses.presale, (code) =>
        code.replaceAll(addresses.presaleVault.slice(2).toLowerCase(), stranger.slice(2)),
      ),
    ['wiring'],
  ],
  [
    'sold AIC that the claim module does not have',
    async () => {
      await sellSome()
      await moveAic(addresses.claimModule, addresses.devVault, 150n * MILLION_AIC)
    },
    ['claims covered'],
  ],
  [
    'a plain key as admin of one vault',
    async () => {
      await asSafe(addresses.devVault, beginTransfer(stranger))
      await client.increaseTime({ seconds: plan.adminDelay + 1 })
      await callAs(stranger, { to: addresses.devVault, data: acceptTransfer })
    },
    ['admin is a multisig'],
  ],
  [
    'a Safe that needs one signature only',
    () => asSafe(safe, encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] })),
    ['admin is a multisig'],
  ],
  [
    'the Safe of other people as admin of one vault',
    async () => {
      const other = await deploySafe(client, [stranger, deployer.address], 2n)
      await asSafe(addresses.devVault, beginTransfer(other))
      await client.increaseTime({ seconds: plan.adminDelay + 1 })
      await callAs(other, { to: addresses.devVault, data: acceptTransfer })
    },
    ['admin is a multisig'],
  ],
  [
    'an admin that will be able to change at once',
    () =>
      asSafe(
        addresses.presale,
        encodeFunctionData({ abi: presaleAbi, functionName: 'changeDefaultAdminDelay', args: [0] }),
      ),
    ['least delay of admin transfers', 'delay of admin transfers'],
  ],
  [
    'a Safe with a module, which needs no signature',
    () => asSafe(safe, encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [stranger] })),
    ['admin is a multisig'],
  ],
  [
    'an admin that answers like a Safe and has other code',
    async () => {
      const slot = (await client.getStorageAt({ address: safe, slot: SINGLETON_SLOT })) ?? '0x'
      await changeCode(getAddress(sliceHex(slot, -20)), (code) => `${code}00`)
    },
    ['admin is a multisig'],
  ],
  [
    'an admin whose own code is not that of a Safe’s proxy',
    () => changeCode(safe, (code) => `${code}00`),
    ['admin is a multisig'],
  ],
  [
    'a dollar without its 6 decimals',
    () => client.setCode({ address: usdcOnChain(foundry.id).address, bytecode: '0x00' }),
    ['known dollar'],
  ],
  ['a cooling-off of a minute', () => toMinute('presale', 'coolingOff'), ['terms of the sale', 'least cooling-off']],
  [
    'a soft cap of next to nothing',
    () => changeValue(addresses.presale, plan.softCap, 1n),
    ['terms of the sale', 'least soft cap'],
  ],
  ['a notice of a minute in one vault', () => toMinute('teamVault', 'notice'), ['least notice', 'notice as planned']],
  ['a notice of a minute of claims', () => toMinute('claimModule', 'notice'), ['least notice', 'notice as planned']],
  [
    'an admin transfer that is pending',
    () => asSafe(addresses.presale, beginTransfer(stranger)),
    ['no admin transfer pending'],
  ],
  ['a second operator', () => changeRole('grantRole', 'marketing', stranger), ['separate operators']],
  ['a vault without operator', () => changeRole('revokeRole', 'team', plan.operators.team), ['separate operators']],
  [
    'a deployer that is an operator',
    () => changeRole('grantRole', 'liquidity', deployer.address),
    ['separate operators', 'deployer has nothing left'],
  ],
  [
    'a deployer that holds AIC',
    () => moveAic(addresses.marketingVault, deployer.address, 1n),
    ['deployer has nothing left'],
  ],
]

const redLines = (checks: readonly string[]) => checks.map((check) => `${check}: red`)

test.each(DEPARTURES)('error: red for %s than planned', async (_fault, change, reds) => {
  expect(await troubles({ planFile: await write('other-plan.json', { ...plan, ...change }) })).toEqual(redLines(reds))
})

test('error: red for the contract of another vault at an address', async () => {
  const record = { ...addresses, teamVault: addresses.devVault, deployer: deployer.address }
  const addressesFile = await write('other-addresses.json', { 31337: record })
  const reds = ['code of this build', 'routes', 'vesting', 'minted table', 'separate operators']
  expect(await troubles({ addressesFile })).toEqual(redLines(reds))
})

test.each(FAULTS)('error: red for %s', async (_fault, make, reds) => {
  const snapshot = await client.snapshot()
  await make()
  const found = await troubles()
  await client.revert({ id: snapshot })
  expect(found.filter((line) => line.endsWith(': red'))).toEqual(redLines(reds))
  expect(await troubles()).toEqual([])
})
