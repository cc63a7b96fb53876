import { type ChildProcess, spawn } from 'node:child_process'
import { on } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createTestClient, http, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { aicTokenAbi } from '../../contracts/abi/aic-token.ts'
import { paymentSplitterAbi } from '../../contracts/abi/payment-splitter.ts'
import { wrappedAicAbi } from '../../contracts/abi/wrapped-aic.ts'
import { type AicContracts, deployAic } from '../../contracts/script/deploy.ts'
import type { Database } from '../../db/client.ts'
import { anvilBinary } from '../../dev/anvil/anvil.ts'
import { freePort } from '../../dev/process/ports.ts'
import { executeSplit } from './execute.ts'
import { runSplit, writeSafeBatch } from './main.ts'
import type { SplitOptions } from './options.ts'
import { planSplit } from './plan.ts'

const hex = z.templateLiteral(['0x', z.string()])
const batchSchema = z.looseObject({ transactions: z.array(z.object({ to: hex, data: hex, value: z.literal('0') })) })

const TREASURY: Address = '0x7777777777777777777777777777777777777777'

const newAccount = () => privateKeyToAccount(generatePrivateKey())
const newClient = (rpcUrl: string) =>
  createTestClient({
    mode: 'anvil',
    chain: foundry,
    account: newAccount(),
    transport: http(rpcUrl),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)

let anvil: ChildProcess
let client: ReturnType<typeof newClient>
let contracts: AicContracts
let options: Awaited<ReturnType<typeof optionsOf>>

beforeAll(async () => {
  const port = await freePort()
  anvil = spawn(anvilBinary(), ['--port', `${port}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  await untilListening(anvil)
  const rpcUrl = `http://127.0.0.1:${port}`
  client = newClient(rpcUrl)
  await client.setBalance({ address: client.account.address, value: parseEther('100') })
})

/** Anvil prints a page about itself; the line with its address is the last. */
async function untilListening({ stdout }: ChildProcess): Promise<void> {
  for await (const [text] of stdout ? on(stdout, 'data', { signal: AbortSignal.timeout(30_000) }) : []) {
    if (String(text).includes('Listening on')) return
  }
}

afterAll(() => {
  anvil.kill('SIGTERM')
})

beforeEach(async () => {
  contracts = await deployAic(client, { treasury: TREASURY, burnBps: 2000 })
  options = await optionsOf()
})

/** A new operator with gas, for the contracts of this test. */
async function optionsOf() {
  const operator = newAccount()
  await client.setBalance({ address: operator.address, value: parseEther('1') })
  const usdc = { address: TREASURY, name: 'USD Coin', version: '2' }
  const rpcUrl = client.transport.url ?? ''
  return {
    network: { chainId: 31337, network: 'eip155:31337', name: 'Dev chain', rpcUrl, usdc, isTest: true },
    token: contracts.wrapped,
    splitter: contracts.splitter,
    burnBps: 2000,
    operator,
    formerOperators: [],
    blocksPerCall: 10_000,
    databaseUrl: 'postgresql://unused',
  } satisfies SplitOptions
}

/** A journal in which payments have brought in `received` so far. */
function journal(received: bigint): Database {
  return { run: async () => [{ amount: received.toString() }], batch: async () => [] }
}

/** Pays `amount` of wrapped AIC to `to`. */
async function pay(to: Address, amount: bigint): Promise<void> {
  const approve = { address: contracts.token, abi: aicTokenAbi, functionName: 'approve' } as const
  await mined(await client.writeContract({ ...approve, args: [contracts.wrapped, amount] }))
  const deposit = { address: contracts.wrapped, abi: wrappedAicAbi, functionName: 'depositFor' } as const
  await mined(await client.writeContract({ ...deposit, args: [to, amount] }))
}

const mined = (hash: `0x${string}`) => client.waitForTransactionReceipt({ hash })

const burnedInAll = () =>
  client.readContract({ address: contracts.wrapped, abi: wrappedAicAbi, functionName: 'totalBurned' })
const heldBy = (owner: Address) =>
  client.readContract({ address: contracts.wrapped, abi: wrappedAicAbi, functionName: 'balanceOf', args: [owner] })
const sentBy = (owner: Address) => client.getTransactionCount({ address: owner })

test('default: what payments brought in is split, 20 % burned to the unit', async () => {
  await pay(options.operator.address, 1_000_000_000_000_000_003n)
  const report = await runSplit(journal(1_000_000_000_000_000_003n), options, false)
  expect(report).toMatchObject({
    status: 'split',
    receivedAic: '1.000000000000000003',
    alreadySplitAic: '0.000000000000000000',
    dueAic: '1.000000000000000003',
    burnedAic: '0.200000000000000000',
    toTreasuryAic: '0.800000000000000003',
  })
  expect(await burnedInAll()).toBe(200_000_000_000_000_000n)
  expect(await heldBy(TREASURY)).toBe(800_000_000_000_000_003n)
  expect(await heldBy(options.operator.address)).toBe(0n)
})

test('behavior: a second run finds nothing due, a later one only what came since', async () => {
  await pay(options.operator.address, 150n)
  await runSplit(journal(100n), options, false)
  expect(await runSplit(journal(100n), options, false)).toMatchObject({ status: 'nothing_due' })
  expect(await sentBy(options.operator.address)).toBe(2)
  await runSplit(journal(150n), options, false)
  expect(await burnedInAll()).toBe(30n)
  expect(await heldBy(options.operator.address)).toBe(0n)
})

test('behavior: a Safe sends the two calls of its batch, and then nothing is due', async () => {
  const safe = newAccount().address
  const ofSafe = { ...options, operator: { address: safe } }
  await pay(safe, 1_000n)
  const folder = await mkdtemp(join(tmpdir(), 'split-'))
  const file = join(folder, 'batch.json')
  try {
    expect(await writeSafeBatch(journal(1_000n), ofSafe, file)).toMatchObject({ status: 'batch', file })
    const batch = batchSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(batch).toMatchObject({ chainId: '31337', meta: { createdFromSafeAddress: safe } })
    await client.impersonateAccount({ address: safe })
    await client.setBalance({ address: safe, value: parseEther('1') })
    for (const { to, data } of batch.transactions)
      await mined(await client.sendTransaction({ account: safe, to, data }))
  } finally {
    await rm(folder, { recursive: true })
  }
  expect(await burnedInAll()).toBe(200n)
  expect(await heldBy(TREASURY)).toBe(800n)
  expect(await writeSafeBatch(journal(1_000n), ofSafe, file)).toMatchObject({ status: 'nothing_due' })
  await expect(runSplit(journal(2_000n), ofSafe, true)).rejects.toThrow('holds 0 atomic units')
})

test('behavior: a dry run says what is due and sends nothing', async () => {
  await pay(options.operator.address, 100n)
  const report = await runSplit(journal(100n), options, true)
  expect(report).toMatchObject({ status: 'due', dueAic: '0.000000000000000100' })
  expect(await sentBy(options.operator.address)).toBe(0)
})

test('behavior: after a run that died between approval and split, the next one splits once', async () => {
  const { operator, token, splitter } = options
  await pay(operator.address, 100n)
  const approve = { address: token, abi: wrappedAicAbi, functionName: 'approve', args: [splitter, 100n] } as const
  await mined(await client.writeContract({ ...approve, account: operator }))
  expect(await runSplit(journal(100n), options, false)).not.toHaveProperty('approval')
  expect(await sentBy(operator.address)).toBe(2)
  expect(await burnedInAll()).toBe(20n)
})

test('behavior: of two runs that planned the same income only one splits it', async () => {
  await pay(options.operator.address, 200n)
  const [first, second] = [await planSplit(client, options, 100n), await planSplit(client, options, 100n)]
  await executeSplit(client, options, first)
  await expect(executeSplit(client, options, second)).rejects.toThrow(/nonce/i)
  expect(await burnedInAll()).toBe(20n)
  expect(await heldBy(options.operator.address)).toBe(100n)
})

test('behavior: a split that still waits to be mined cannot be doubled by the next run', async () => {
  const { operator } = options
  await pay(operator.address, 200n)
  const plan = await planSplit(client, options, 100n)
  await client.setAutomine(false)
  try {
    const first = executeSplit(client, options, plan)
    await expect.poll(async () => (await client.getTxpoolStatus()).pending).toBe(1)
    await client.mine({ blocks: 1 })
    await expect.poll(async () => (await client.getTxpoolStatus()).pending).toBe(1)
    const second = await planSplit(client, options, 100n)
    expect(second).toMatchObject({ due: 100n, allowance: 100n, nonce: 1 })
    await expect(executeSplit(client, options, second)).rejects.toThrow(/InsufficientAllowance/)
    await client.mine({ blocks: 1 })
    await first
  } finally {
    await client.setAutomine(true)
  }
  expect(await burnedInAll()).toBe(20n)
  expect(await heldBy(operator.address)).toBe(100n)
})

test('behavior: another account that splits the same token takes nothing off what is due', async () => {
  const stranger = await optionsOf()
  await pay(stranger.operator.address, 50n)
  await runSplit(journal(50n), stranger, false)
  await pay(options.operator.address, 100n)
  expect(await runSplit(journal(100n), options, true)).toMatchObject({ dueAic: '0.000000000000000100' })
  const heir = { ...options, formerOperators: [stranger.operator.address] }
  expect(await runSplit(journal(100n), heir, true)).toMatchObject({ dueAic: '0.000000000000000050' })
})

test('behavior: splits are found wherever they fall between the searches of the RPC', async () => {
  await pay(options.operator.address, 100n)
  await runSplit(journal(60n), options, false)
  await client.mine({ blocks: 10 })
  await runSplit(journal(100n), options, false)
  for (const blocksPerCall of [1, 2, 3, 7]) {
    const report = await runSplit(journal(100n), { ...options, blocksPerCall }, true)
    expect(report).toMatchObject({ status: 'nothing_due', alreadySplitAic: '0.000000000000000100' })
  }
})

test('error: the wallet holds less than is due', async () => {
  await pay(options.operator.address, 99n)
  await expect(runSplit(journal(100n), options, false)).rejects.toThrow(/holds 99 atomic units, but 100 are due/)
  expect(await sentBy(options.operator.address)).toBe(0)
})

test('error: AIC_BURN_BPS is not what the splitter burns', async () => {
  const run = runSplit(journal(100n), { ...options, burnBps: 2001 }, false)
  await expect(run).rejects.toThrow(/AIC_BURN_BPS is 2001, .* burns 2000 basis points/)
})

test('error: the RPC answers for another chain', async () => {
  const network = { ...options.network, chainId: 1, network: 'eip155:1' } as const
  await expect(runSplit(journal(0n), { ...options, network }, false)).rejects.toThrow(/answers for chain 31337/)
})

test('behavior: the splitter says where its events begin', async () => {
  const splitter = { address: contracts.splitter, abi: paymentSplitterAbi } as const
  const first = await client.readContract({ ...splitter, functionName: 'deployedAtBlock' })
  expect(await client.getCode({ address: contracts.splitter, blockNumber: first })).not.toBeUndefined()
  expect(await client.getCode({ address: contracts.splitter, blockNumber: first - 1n })).toBeUndefined()
})
