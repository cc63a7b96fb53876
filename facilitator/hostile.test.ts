import { concat, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../dev/anvil/rpc.ts'
import { installSwitch, mintUsdc, setCode, walletAt, walletCode } from '../test/helpers/contract-wallets.ts'
import { faults, type PartProxy, startProxy } from '../test/helpers/proxy.ts'
import { makeX402Requests } from '../test/helpers/x402-request.ts'
import { createFacilitator, type FacilitatorOptions } from './facilitator.ts'
import { BRAKE_MS } from './gas-budget.ts'
import { makeMemoryStore } from './memory-store.ts'
import type { SettlementStore } from './store.ts'

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
let proxy: PartProxy
let payment: ReturnType<typeof makeX402Requests>
let hostile: Awaited<ReturnType<typeof installSwitch>>
let store: SettlementStore
let clock: number
let events: { event: string; fields: Record<string, unknown> }[]
let lastWallet = 0

beforeAll(async () => {
  chain = await startChain({ buyers: 3 })
  rpc = createRpc(chain.url)
  proxy = await startProxy({ target: () => chain.url })
  payment = makeX402Requests(chain)
  hostile = await installSwitch(chain.url, SWITCH)
})
afterAll(async () => {
  await proxy.close()
  await chain.close()
})
beforeEach(() => {
  store = makeMemoryStore()
  clock = Date.now()
  events = []
})

/** A process; another one over the same store is its restart. */
const start = (options: Partial<FacilitatorOptions> = {}, rpcUrl = chain.url) =>
  createFacilitator({
    networks: [{ network: 'eip155:31337', rpcUrl, assets: [chain.usdc], payTo: chain.payTo }],
    privateKey: facilitatorKey().privateKey,
    store,
    pollingIntervalMs: 20,
    confirmationTimeoutMs: 5_000,
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
  await rpc.call('evm_setIntervalMining', 0)
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

test('error: a reverted authorization is a final no, and is never sent again, also after a restart', async () => {
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

test('error: an exhausted trial budget refuses new contract wallets and no others, and is logged once', async () => {
  const regular = await wallet(walletCode.honest)
  expect(await settle(start(), await payment({}, { wallet: regular }))).toMatchObject({ success: true })
  const running = start({ budget: { perPayer: 500_000n, onTrial: 0n, perKey: 10_000_000n } })
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
  const answers = Promise.all(bodies.map((body) => settle(running, body)))
  await expect.poll(async () => (await store.open('eip155:31337')).length).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 500))
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

const isSend = ({ body }: { body: string }) => body.includes('eth_sendRawTransaction')
const nodeSays = (code: number, message: string, forward: boolean) => ({
  kind: 'answer' as const,
  forward,
  status: 200,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }),
  contentType: 'application/json',
})

test.each([
  [-32603, 'Internal error'],
  [-32000, 'request timed out'],
  [-32005, 'limit exceeded'],
  [-32000, 'transaction underpriced'],
  [-32010, 'some words of a gateway'],
])('error: %i "%s" for a transaction that the node took loses nothing', async (code, message) => {
  const running = start({}, proxy.url)
  const stop = proxy.spoil(isSend, nodeSays(code, message, true), 2)
  const body = await payment()
  expect(await settle(running, body)).toMatchObject({ success: true })
  stop()
})

test('error: -32603 for a transaction that was not taken ends as pending, and is sent again', async () => {
  const running = start({ confirmationTimeoutMs: 200 }, proxy.url)
  const stop = proxy.spoil(isSend, nodeSays(-32603, 'Internal error', false), 2)
  const body = await payment()
  expect(await settle(running, body)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  stop()
  await running.tend()
  expect(await settle(running, body)).toMatchObject({ success: true })
})

test.each([
  'insufficient funds for gas * price + value',
  'Upfront cost exceeds account balance',
  'intrinsic gas too low: gas 21000, minimum needed 53000',
  'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)',
  'oversized data: transaction size 140000, limit 131072',
  'invalid sender',
  'nonce too low: next nonce 7, tx nonce 6',
])('error: "%s" is a refusal for good, and the next payment settles', async (message) => {
  const running = start({}, proxy.url)
  const stop = proxy.spoil(isSend, nodeSays(-32000, message, false), 2)
  const body = await payment()
  const answer = await settle(running, body)
  stop()
  expect(answer).toMatchObject({ success: false, transaction: '' })
  expect(answer.errorReason).not.toBe('settlement_pending')
  expect(await store.open('eip155:31337')).toEqual([])
  expect(await settle(running, await payment())).toMatchObject({ success: true })
})

test('error: no answer and no log line holds the URL of the RPC, its key, or calldata', async () => {
  const running = start({}, `${proxy.url}/v2/a-secret-key`)
  const body = await payment()
  const texts: string[] = []
  const ask = async (path: '/verify' | '/settle') => texts.push(JSON.stringify(await post(running, path, body)))
  for (const method of [
    'eth_call',
    'eth_estimateGas',
    'eth_sendRawTransaction',
    'eth_getCode',
    'eth_getBlockByNumber',
  ]) {
    for (const fault of [nodeSays(-32000, 'insufficient funds for gas', false), faults.error(502)]) {
      const stop = proxy.spoil((call) => call.body.includes(method), fault, 50)
      await ask('/verify')
      await ask('/settle')
      stop()
    }
  }
  texts.push(JSON.stringify(events))
  expect(texts.join('\n')).not.toMatch(/a-secret-key|127\.0\.0\.1|https?:/)
  expect(texts.join('\n')).not.toMatch(/0x[0-9a-f]{65}/i)
})

test('error: invalid_payload for a Permit2 payload, alone or beside an authorization', async () => {
  const running = start()
  const before = await sentCount()
  const good = await payment()
  const permit2Authorization = { from: chain.buyers[0]?.address, permitted: { token: chain.usdc, amount: '10000' } }
  const { signature } = good.paymentPayload.payload
  for (const payload of [
    { signature, permit2Authorization },
    { ...good.paymentPayload.payload, permit2Authorization },
  ]) {
    const body = { ...good, paymentPayload: { ...good.paymentPayload, payload } }
    expect(await verify(running, body)).toMatchObject({ isValid: false, invalidReason: 'invalid_payload' })
    expect(await settle(running, body)).toMatchObject({ success: false, errorReason: 'invalid_payload' })
  }
  expect(await sentCount()).toBe(before)
})

test('error: a signature of another length from a payer without code is refused before anything is sent', async () => {
  const running = start()
  const before = await sentCount()
  const { signature } = (await payment()).paymentPayload.payload
  const forms: Hex[] = [
    '0x',
    `0x${signature.slice(2, 130)}`,
    concat([signature, '0x00']),
    concat([signature, signature]),
  ]
  for (const form of forms) {
    const body = await payment({}, { signature: form })
    expect(await verify(running, body)).toMatchObject({ invalidReason: 'invalid_exact_evm_signature' })
    expect(await settle(running, body)).toMatchObject({ errorReason: 'invalid_exact_evm_signature', transaction: '' })
  }
  expect(await sentCount()).toBe(before)
})

test('error: a validAfter that is not before the block is named as the reason', async () => {
  const running = start()
  const { timestamp } = z
    .object({ timestamp: z.string() })
    .parse(await rpc.call('eth_getBlockByNumber', 'latest', false))
  // In the block's future and not in this clock's, as with a chain whose last block is a few seconds old.
  const body = await payment({}, { validAfter: `${Math.min(Number(timestamp) + 1, Math.floor(Date.now() / 1000))}` })
  const reason = 'invalid_exact_evm_payload_authorization_valid_after'
  expect(await verify(running, body)).toMatchObject({ isValid: false, invalidReason: reason })
  expect(await settle(running, body)).toMatchObject({ success: false, errorReason: reason, transaction: '' })
})
