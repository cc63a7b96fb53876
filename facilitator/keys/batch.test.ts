import { createClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { deployerKey, facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { mintUsdc } from '../../test/helpers/contract-wallets.ts'
import { makeX402Requests } from '../../test/helpers/x402-request.ts'
import { paymentCall } from '../chain/payment-call.ts'
import { createFacilitator, type FacilitatorOptions } from '../facilitator.ts'
import { makeMemoryStore } from '../store/memory-store.ts'
import type { SettlementStore } from '../store/store.ts'

const PRICE = 10_000n
const NETWORK = 'eip155:31337'
const answerSchema = z.looseObject({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string(),
})
type Body = Awaited<ReturnType<ReturnType<typeof makeX402Requests>>>

let chain: RunningChain
let rpc: Rpc
let payment: ReturnType<typeof makeX402Requests>
let store: SettlementStore

beforeAll(async () => {
  chain = await startChain({ buyers: 2 })
  rpc = createRpc(chain.url)
  payment = makeX402Requests(chain)
})
afterAll(() => chain.close())
beforeEach(() => {
  store = makeMemoryStore()
})

const start = (options: Partial<FacilitatorOptions> = {}) =>
  createFacilitator({
    networks: [
      {
        network: NETWORK,
        rpcUrl: chain.url,
        assets: [chain.usdc],
        payTo: chain.payTo,
        batch: chain.contracts['batch'],
      },
    ],
    privateKeys: [facilitatorKey().privateKey],
    store,
    pollingIntervalMs: 20,
    ...options,
  })
type Running = ReturnType<typeof start>

/** Payments behind another one wait until there are so many, and leave together however slowly they come. */
const startGathering = (count: number, options: Partial<FacilitatorOptions> = {}) =>
  start({ maxBatch: count, gatherMs: 60_000, ...options })

async function settle({ app }: Running, body: unknown) {
  const response = await app.request('/settle', { method: 'POST', body: JSON.stringify(body) })
  return answerSchema.parse(await response.json())
}

/** Plain accounts with money for so many payments each, and what signs them. */
async function payers(count: number, payments: bigint) {
  const accounts = Array.from({ length: count }, () => {
    const privateKey = generatePrivateKey()
    return { address: privateKeyToAccount(privateKey).address, privateKey }
  })
  const addresses = accounts.map(({ address }) => address)
  await mintUsdc(rpc, chain.usdc, payments * PRICE, addresses)
  return accounts.map((account) => makeX402Requests({ ...chain, buyers: [account] }))
}

/** Runs `work` while blocks come only from `mine`. */
async function withoutBlocks<T>(work: (mine: () => Promise<unknown>) => Promise<T>): Promise<T> {
  await rpc.call('evm_setAutomine', false)
  await rpc.call('evm_setIntervalMining', 0)
  try {
    return await work(() => rpc.call('evm_mine'))
  } finally {
    await rpc.call('evm_setAutomine', true)
    await rpc.call('evm_mine')
  }
}

/** Settles `first` so that it waits for its block, then all others behind it, in one transaction. */
async function settleBehind(running: Running, bodies: readonly Body[], beforeBlock: () => Promise<unknown>) {
  return withoutBlocks(async (mine) => {
    const first = settle(running, await payment())
    await expect.poll(async () => (await store.open(NETWORK)).length).toBe(1)
    const answers = Promise.all(bodies.map((body) => settle(running, body)))
    await expect.poll(async () => (await store.open(NETWORK)).length).toBe(2)
    await beforeBlock()
    await mine()
    await rpc.call('evm_setAutomine', true)
    await first
    return answers
  })
}

async function receiptOf(hash: string) {
  const client = createClient({ transport: http(chain.url) })
  return getTransactionReceipt(client, { hash: z.templateLiteral(['0x', z.string()]).parse(hash) })
}

/** A stranger submits payments, at a price that puts them before everything else in the block. */
async function frontRunAll(bodies: readonly Body[]): Promise<void> {
  const from = deployerKey().account.address
  for (const { paymentPayload } of bodies) {
    const { to, data } = paymentCall(chain.usdc, paymentPayload.payload)
    await rpc.call('eth_sendTransaction', { from, to, data, gas: '0x493e0', gasPrice: '0x174876e800' })
  }
}

test('behavior: of fifty in one transaction five fail, forty-five are paid, at 0.62 of the gas', async () => {
  const running = startGathering(50)
  // The first transfer of a payer writes new slots: both sides are measured after one.
  const signers = await payers(10, 10n)
  const warm = await Promise.all(signers.map((sign) => sign()))
  for (const body of warm) expect(await settle(running, body)).toMatchObject({ success: true })
  const single = await settle(running, await payment())
  const bodies = await Promise.all(Array.from({ length: 50 }, (_, index) => signers[index % 10]?.()))
  const all = bodies.filter((body) => body !== undefined)
  const bad = all.slice(20, 25)
  const answers = await settleBehind(running, all, () => frontRunAll(bad))

  const isBad = (index: number) => index >= 20 && index < 25
  const reasons = answers.map(({ success, errorReason }) => (success ? 'paid' : errorReason))
  expect(reasons).toEqual(all.map((_, index) => (isBad(index) ? 'invalid_exact_evm_nonce_already_used' : 'paid')))
  const hashes = new Set(answers.filter(({ success }) => success).map(({ transaction }) => transaction))
  expect(hashes.size).toBe(1)
  const [{ gasUsed: gasOfOne }, batch] = [await receiptOf(single.transaction), await receiptOf([...hashes][0] ?? '')]
  const gasPerPaid = Number(batch.gasUsed) / 45
  const ratio = gasPerPaid / Number(gasOfOne)
  console.log(
    `gas: ${gasOfOne} alone, ${Math.round(Number(batch.gasUsed) / 50)} for each of 50, ${Math.round(gasPerPaid)} for each of 45 paid`,
  )
  expect(Number(batch.gasUsed) / 50 / Number(gasOfOne)).toBeLessThanOrEqual(0.62)
  expect(ratio).toBeLessThanOrEqual(0.62)
})

test('error: a batch that succeeds without a payment’s own transfer does not count as paid', async () => {
  const running = startGathering(2)
  const [sign] = await payers(1, 3n)
  if (sign === undefined) throw new Error('no payer')
  const [paid, taken] = [await sign(), await sign()]
  // Both move the same amount from the same payer: only the nonce in the event distinguishes them.
  const answers = await settleBehind(running, [paid, taken], () => frontRunAll([taken]))
  expect(answers.map(({ success }) => success)).toEqual([true, false])
})

test('error: a forged signature among others is refused with its reason, and costs no gas', async () => {
  const running = startGathering(3)
  const [first, second, forged] = await Promise.all([payment(), payment(), payment()])
  forged.paymentPayload.payload.signature = first.paymentPayload.payload.signature
  const answers = await settleBehind(running, [first, forged, second], async () => undefined)
  expect(answers.map(({ success, errorReason }) => errorReason ?? success)).toEqual([
    true,
    'invalid_exact_evm_signature',
    true,
  ])
  const { logs } = await receiptOf(answers[0]?.transaction ?? '')
  expect(answers[2]?.transaction).toBe(answers[0]?.transaction)
  // Three for each payment: its authorization, its transfer, and what the batch contract says.
  expect(logs).toHaveLength(6)
})

test('behavior: twenty payments in one transaction are looked up and counted once', async () => {
  const kept = makeMemoryStore()
  const counts = { end: 0 }
  store = {
    ...kept,
    end: (...args) => {
      counts.end += 1
      return kept.end(...args)
    },
  }
  const bodies = await Promise.all(Array.from({ length: 20 }, () => payment()))
  const answers = await settleBehind(startGathering(20), bodies, async () => undefined)
  expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1)
  // Its own, that of the one before it, and at most one more of each: a new block is looked at beside the first look.
  expect(counts.end).toBeLessThanOrEqual(4)
})

test('behavior: payments of wrapped AIC and USDC settle in one transaction', async () => {
  const { wrappedAic } = chain.contracts
  if (wrappedAic === undefined) throw new Error('no wrapped AIC')
  const assets = [chain.usdc, wrappedAic]
  const running = startGathering(2, {
    networks: [{ network: NETWORK, rpcUrl: chain.url, assets, payTo: chain.payTo, batch: chain.contracts['batch'] }],
  })
  const [, holder] = chain.buyers
  if (holder === undefined) throw new Error('no holder of AIC')
  const signAic = makeX402Requests({ ...chain, buyers: [holder] }, { name: 'Wrapped AIC', version: '1' })
  const [usdc, aic] = [await payment(), await signAic({ asset: wrappedAic })]
  const answers = await settleBehind(running, [usdc, aic], async () => undefined)
  expect(answers.map(({ success }) => success)).toEqual([true, true])
  expect(answers[0]?.transaction).toBe(answers[1]?.transaction)
})

test('behavior: an idle key sends at once, and with batches of one each has its own', async () => {
  const running = start({ maxBatch: 1 })
  const bodies = await Promise.all(Array.from({ length: 5 }, () => payment()))
  const answers = await Promise.all(bodies.map((body) => settle(running, body)))
  expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(5)
  expect(answers.every(({ success }) => success)).toBe(true)
})

test('behavior: payments spread over keys, and a key without ether passes its own on', async () => {
  const keys = Array.from({ length: 3 }, () => generatePrivateKey())
  const [empty, ...funded] = keys.map((key) => privateKeyToAccount(key).address)
  for (const address of funded) await rpc.call('anvil_setBalance', address, '0xde0b6b3a7640000')
  const running = start({ privateKeys: keys })
  const supported = z.looseObject({ signers: z.record(z.string(), z.array(z.string())) })
  const { signers } = supported.parse(await (await running.app.request('/supported')).json())
  expect(Object.values(signers).flat()).toEqual([empty, ...funded])
  const bodies = await Promise.all(Array.from({ length: 24 }, () => payment()))
  const answers = await Promise.all(bodies.map((body) => settle(running, body)))
  expect(answers.map(({ success }) => success)).toEqual(Array(24).fill(true))
  const senders = await Promise.all(answers.map(async ({ transaction }) => (await receiptOf(transaction)).from))
  expect(new Set(senders)).toEqual(new Set(funded.map((address) => address.toLowerCase())))
})

test('error: without ether on any key nothing is sent, and nothing stays open', async () => {
  const running = start({ privateKeys: [generatePrivateKey()] })
  expect(await settle(running, await payment())).toMatchObject({
    success: false,
    errorReason: 'invalid_exact_evm_transaction_failed',
    transaction: '',
  })
  expect(await store.open(NETWORK)).toEqual([])
})

test('behavior: after a reorganization of three blocks the transactions are mined again', async () => {
  const running = start()
  const snapshot = await rpc.call('evm_snapshot')
  const bodies = await Promise.all([payment(), payment()])
  for (const body of bodies) expect(await settle(running, body)).toMatchObject({ success: true })
  await rpc.call('evm_revert', snapshot)
  await running.tend()
  await rpc.call('evm_mine')
  const next = await settle(running, await payment())
  expect(next).toMatchObject({ success: true })
  for (const body of bodies) expect(await settle(running, body)).toMatchObject({ success: false, transaction: '' })
})
