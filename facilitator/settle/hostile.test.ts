import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { deployerKey, facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { installSwitch, mintUsdc, setCode, walletAt, walletCode } from '../../test/helpers/contract-wallets.ts'
import { makeX402Requests } from '../../test/helpers/x402-request.ts'
import { createFacilitator, type FacilitatorOptions } from '../facilitator.ts'
import { BRAKE_MS } from '../gas/gas-budget.ts'
import { makeMemoryStore } from '../store/memory-store.ts'
import type { SettlementStore } from '../store/store.ts'

const PRICE = 10_000n
const SWITCH = walletAt(0, 0)
const answerSchema = z.looseObject({
  success: z.boolean().optional(),
  isValid: z.boolean().optional(),
  errorReason: z.string().optional(),
  invalidReason: z.string().optional(),
  transaction: z.string().optional(),
})

let chain: RunningChain
let rpc: Rpc
let payment: ReturnType<typeof makeX402Requests>
let hostile: Awaited<ReturnType<typeof installSwitch>>
let store: SettlementStore
let clock: number
let events: { event: string; fields: Record<string, unknown> }[]
let lastWallet = 0

beforeAll(async () => {
  chain = await startChain({ buyers: 3 })
  rpc = createRpc(chain.url)
  // A block comes with each transaction, and none in between: `evm_setAutomine` alone can then hold them.
  await rpc.call('evm_setIntervalMining', 0)
  await rpc.call('evm_setAutomine', true)
  payment = makeX402Requests(chain)
  hostile = await installSwitch(chain.url, SWITCH)
})
afterAll(() => chain.close())
beforeEach(() => {
  store = makeMemoryStore()
  clock = Date.now()
  events = []
})

/** A process; another one over the same store is its restart. */
const start = (options: Partial<FacilitatorOptions> = {}) =>
  createFacilitator({
    networks: [
      {
        network: 'eip155:31337',
        rpcUrl: chain.url,
        assets: [chain.usdc],
        payTo: chain.payTo,
        batch: chain.contracts['batch'],
      },
    ],
    privateKeys: [facilitatorKey().privateKey],
    store,
    pollingIntervalMs: 20,
    // Longer than a test holds its blocks.
    confirmationTimeoutMs: 60_000,
    now: () => new Date(clock),
    log: (_level, event, fields = {}) => events.push({ event, fields }),
    ...options,
  })
type Running = ReturnType<typeof start>

async function post({ app }: Running, path: '/verify' | '/settle', body: unknown) {
  const response = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
  return answerSchema.parse(await response.json())
}
const verify = (running: Running, body: unknown) => post(running, '/verify', body)
const settle = (running: Running, body: unknown) => post(running, '/settle', body)

async function wallet(code: Hex, balance = 10n * PRICE): Promise<Hex> {
  lastWallet += 1
  const address = walletAt(1, lastWallet)
  await setCode(rpc, address, code)
  await mintUsdc(rpc, chain.usdc, balance, [address])
  return address
}

const sentCount = async () =>
  Number(await rpc.call('eth_getTransactionCount', facilitatorKey().account.address, 'latest'))

/** Settles while every block is mined with the switch on. */
async function settleWithSwitchOn(running: Running, body: unknown) {
  await rpc.call('evm_setAutomine', false)
  try {
    let isAnswered = false
    const answer = settle(running, body).finally(() => {
      isAnswered = true
    })
    await expect.poll(async () => isAnswered || (await store.open('eip155:31337')).length > 0).toBe(true)
    await hostile.mineWithItOn()
    return await answer
  } finally {
    await rpc.call('evm_setAutomine', true)
  }
}

test('error: a wallet that is valid only without a gas price passes no check and sends nothing', async () => {
  const running = start()
  const before = await sentCount()
  const body = await payment({}, { wallet: await wallet(walletCode.freeGasOnly) })
  expect(await verify(running, body)).toMatchObject({ isValid: false })
  expect(await settle(running, body)).toMatchObject({ success: false, transaction: '' })
  expect(await sentCount()).toBe(before)
})

test('error: a reverted authorization is never sent again, also after a restart', async () => {
  const body = await payment({}, { wallet: await wallet(walletCode.switched(SWITCH)) })
  const first = await settleWithSwitchOn(start(), body)
  expect(first).toMatchObject({
    success: false,
    errorReason: 'invalid_exact_evm_transaction_failed',
    errorMessage: expect.stringMatching(/^the transaction 0x[0-9a-f]{64} reverted$/),
    transaction: '',
  })
  expect(events.filter(({ event }) => event === 'settlement.reverted')).toHaveLength(1)
  const before = await sentCount()
  const restarted = start()
  for (let copy = 0; copy < 30; copy += 1) {
    expect(await settle(restarted, body)).toMatchObject({ errorReason: 'authorization_reverted', transaction: '' })
  }
  expect(await verify(restarted, body)).toMatchObject({ isValid: false, invalidReason: 'authorization_reverted' })
  expect(await sentCount()).toBe(before)
})

test('error: a contract wallet that made one transaction revert is refused for a day', async () => {
  const running = start()
  const address = await wallet(walletCode.switched(SWITCH))
  await settleWithSwitchOn(running, await payment({}, { wallet: address }))
  const other = await payment({}, { wallet: address })
  expect(await verify(running, other)).toMatchObject({ invalidReason: 'payer_reverted_before' })
  expect(await settle(running, other)).toMatchObject({ errorReason: 'payer_reverted_before', transaction: '' })
  clock += BRAKE_MS + 1
  await running.tend()
  expect(await settle(running, other)).toMatchObject({ success: true })
})

test('behavior: a revert because another sender made the same transfer first brakes no wallet', async () => {
  const running = start()
  const address = await wallet(walletCode.honest)
  const body = await payment({}, { wallet: address })
  await rpc.call('evm_setAutomine', false)
  const answer = settle(running, body)
  await expect.poll(async () => (await store.open('eip155:31337')).length).toBe(1)
  const { to, data } = parseTransaction((await store.open('eip155:31337'))[0]?.raw ?? '0x')
  const from = deployerKey().account.address
  await rpc.call('eth_sendTransaction', { from, to, data, gas: '0x493e0', gasPrice: '0x174876e800' })
  await rpc.call('evm_mine')
  await rpc.call('evm_setAutomine', true)
  expect(await answer).toMatchObject({ success: false, transaction: '' })
  expect(events).toContainEqual({
    event: 'settlement.reverted',
    fields: expect.objectContaining({ isBlameless: true }),
  })
  expect(await settle(running, body)).toMatchObject({ success: false, transaction: '' })
  expect(await settle(running, await payment({}, { wallet: address }))).toMatchObject({ success: true })
})

test('error: the outcome of a caller that left is counted by the next look at open entries', async () => {
  const body = await payment({}, { wallet: await wallet(walletCode.burning(SWITCH)) })
  await rpc.call('evm_setAutomine', false)
  const running = start({ confirmationTimeoutMs: 100 })
  expect(await settle(running, body)).toMatchObject({ errorReason: 'settlement_pending' })
  await hostile.mineWithItOn()
  await rpc.call('evm_setAutomine', true)
  const restarted = start()
  await restarted.tend()
  expect(events.filter(({ event }) => event === 'settlement.reverted')).toHaveLength(1)
  await restarted.tend()
  const health = z.looseObject({ lostGas: z.record(z.string(), z.string()) })
  const { lostGas } = health.parse(await (await start().app.request('/health')).json())
  const lost = Number(lostGas['eip155:31337'])
  expect(lost).toBeGreaterThan(90_000)
  expect(lost).toBeLessThanOrEqual(300_000)
  // The caller comes back: the same final no.
  expect(await settle(restarted, body)).toMatchObject({ success: false, transaction: '' })
})

test('error: an exhausted trial budget refuses only new contract wallets, logged once', async () => {
  const regular = await wallet(walletCode.honest)
  expect(await settle(start(), await payment({}, { wallet: regular }))).toMatchObject({ success: true })
  const running = start({ budget: { perPayer: 500_000n, onTrial: 0n, perNetwork: 10_000_000n } })
  for (let copy = 0; copy < 2; copy += 1) {
    const body = await payment({}, { wallet: await wallet(walletCode.honest) })
    expect(await settle(running, body)).toMatchObject({ errorReason: 'trial_gas_budget_exhausted', transaction: '' })
  }
  expect(await settle(running, await payment({}, { wallet: regular }))).toMatchObject({ success: true })
  expect(await settle(running, await payment())).toMatchObject({ success: true })
  expect(events.filter(({ event }) => event === 'gas.budget_exhausted')).toHaveLength(1)
})

test('error: a balance for one payment settles one of ten that come at once', async () => {
  const running = start()
  const address = await wallet(walletCode.honest, PRICE)
  const privateKey = generatePrivateKey()
  const poor = { address: privateKeyToAccount(privateKey).address, privateKey }
  const sign = makeX402Requests({ ...chain, buyers: [poor] })
  await mintUsdc(rpc, chain.usdc, PRICE, [poor.address])
  const before = await sentCount()
  const bodies = await Promise.all([
    ...Array.from({ length: 10 }, () => sign()),
    ...Array.from({ length: 10 }, () => payment({}, { wallet: address })),
  ])
  await rpc.call('evm_setAutomine', false)
  let answered = 0
  const answers = Promise.all(bodies.map((body) => settle(running, body).finally(() => (answered += 1))))
  await expect.poll(async () => (await store.open('eip155:31337')).length).toBe(2)
  // The others are refused before there is a block.
  await expect.poll(() => answered).toBe(18)
  await rpc.call('evm_mine')
  await rpc.call('evm_setAutomine', true)
  const settled = (await answers).map(({ success, errorReason }) => errorReason ?? success)
  expect(settled.slice(0, 10).sort()).toEqual([...Array(9).fill('invalid_exact_evm_insufficient_balance'), true])
  expect(settled.slice(10).filter((answer) => answer === true)).toHaveLength(1)
  expect((await sentCount()) - before).toBe(2)
})

test('behavior: what is in flight is subtracted once: mined settlements leave the balance only', async () => {
  const running = start()
  const address = await wallet(walletCode.honest, 3n * PRICE)
  for (let copy = 0; copy < 3; copy += 1) {
    const body = await payment({}, { wallet: address })
    expect(await settle(running, body)).toMatchObject({ success: true })
  }
})
