import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { transfersTo } from '../../test/helpers/facilitator-process.ts'
import { makeX402Requests } from '../../test/helpers/x402-request.ts'
import { createFacilitator } from '../facilitator.ts'
import { makeMemoryStore } from '../store/memory-store.ts'
import type { SettlementStore } from '../store/store.ts'

const GWEI = 1_000_000_000n
const answerSchema = z.looseObject({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string(),
})

let chain: RunningChain
let rpc: Rpc
let payment: ReturnType<typeof makeX402Requests>
let store: SettlementStore
let clock: number
let events: { event: string; fields: Record<string, unknown> }[]

beforeAll(async () => {
  chain = await startChain({ buyers: 1 })
  rpc = createRpc(chain.url)
  payment = makeX402Requests(chain)
  // Blocks come only from `mine`, at the base fee that the test sets.
  await rpc.call('evm_setAutomine', false)
  await rpc.call('evm_setIntervalMining', 0)
})
afterAll(() => chain.close())
beforeEach(() => {
  store = makeMemoryStore()
  clock = Date.now()
  events = []
})

/** A process; another one over the same store is its restart. */
const start = ({ maxFeePerGas = 500n * GWEI, confirmationTimeoutMs = 300 } = {}) =>
  createFacilitator({
    networks: [{ network: 'eip155:31337', rpcUrl: chain.url, assets: [chain.usdc], payTo: chain.payTo }],
    privateKeys: [facilitatorKey().privateKey],
    store,
    pollingIntervalMs: 20,
    confirmationTimeoutMs,
    maxFeePerGas,
    now: () => new Date(clock),
    log: (_level, event, fields = {}) => events.push({ event, fields }),
  })
type Running = ReturnType<typeof start>

async function mine(baseFeeGwei: bigint): Promise<void> {
  await rpc.call('anvil_setNextBlockBaseFeePerGas', `0x${(baseFeeGwei * GWEI).toString(16)}`)
  await rpc.call('evm_mine')
}

async function settle({ app }: Running, body: unknown) {
  const response = await app.request('/settle', { method: 'POST', body: JSON.stringify(body) })
  return answerSchema.parse(await response.json())
}

/** Settles until that succeeds, and returns the transaction. A busy machine may read the receipt of a mined one late. */
async function settledBy(running: Running, body: unknown): Promise<string> {
  let answer = await settle(running, body)
  await expect
    .poll(async () => {
      if (answer.errorReason === 'settlement_pending') answer = await settle(running, body)
      return answer
    })
    .toMatchObject({ success: true })
  return answer.transaction
}

const theOnlyOpen = async () => {
  const open = await store.open('eip155:31337')
  expect(open).toHaveLength(1)
  return open[0]
}
const named = (event: string) => events.filter((line) => line.event === event)

/** The ones of these transactions that paid. */
const transfers = async (hashes: Hex[]): Promise<Hex[]> =>
  (await transfersTo(chain)).filter((hash) => hashes.includes(hash))

/** A settlement whose transaction waits, since the base fee rose above all that it offers. */
async function stuckSettlement(running: Running) {
  await mine(1n)
  const body = await payment()
  expect(await settle(running, body)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  const sent = await theOnlyOpen()
  await mine(50n)
  expect((await theOnlyOpen())?.hash).toBe(sent?.hash)
  return { body, old: sent?.hash ?? '0x' }
}

test('behavior: a fee that is too low is raised, also after a restart, and settles once', async () => {
  const { body, old } = await stuckSettlement(start())
  const second = start()
  await second.tend()
  expect(named('settlement.replaced'), 'not before a minute has passed').toEqual([])
  clock += 61_000
  await second.tend()
  const open = await theOnlyOpen()
  expect(open).toMatchObject({ replaced: [old] })
  expect(named('settlement.replaced')).toEqual([
    { event: 'settlement.replaced', fields: expect.objectContaining({ hash: old, by: open?.hash }) },
  ])
  await mine(50n)
  expect(await settledBy(second, body)).toBe(open?.hash)
  expect(await transfers([old, open?.hash ?? '0x'])).toEqual([open?.hash])
  expect(await settle(second, body)).toMatchObject({ success: false, transaction: '' })
})

test('behavior: on a chain without blocks no fee is raised above what the network asks', async () => {
  const facilitator = start()
  await mine(1n)
  const body = await payment()
  expect(await settle(facilitator, body)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  const sent = await theOnlyOpen()
  for (let minute = 0; minute < 5; minute += 1) {
    clock += 61_000
    await facilitator.tend()
  }
  expect(await theOnlyOpen()).toMatchObject({ hash: sent?.hash })
  expect(named('settlement.replaced')).toEqual([])
  expect(named('settlement.stuck')).toHaveLength(5)
  await mine(1n)
  expect(await settledBy(facilitator, body)).toBe(sent?.hash)
})

test('behavior: the answer is the old hash when that transaction is mined', async () => {
  const running = start()
  const { body, old } = await stuckSettlement(running)
  const raw = (await theOnlyOpen())?.raw
  clock += 61_000
  await running.tend()
  const by = (await theOnlyOpen())?.hash ?? '0x'
  await rpc.call('anvil_dropTransaction', by)
  await mine(1n)
  await rpc.call('eth_sendRawTransaction', raw)
  await mine(1n)
  expect(await settledBy(running, body)).toBe(old)
  expect(await transfers([old, by])).toEqual([old])
})

test('behavior: a call that still waits gets the hash of the mined replacement', async () => {
  const running = start({ confirmationTimeoutMs: 60_000 })
  await mine(1n)
  const answer = settle(running, await payment())
  await expect.poll(async () => (await store.open('eip155:31337')).length).toBe(1)
  await mine(50n)
  clock += 61_000
  await running.tend()
  const open = await theOnlyOpen()
  expect(open?.replaced).toHaveLength(1)
  await mine(50n)
  expect(await answer).toMatchObject({ success: true, transaction: open?.hash })
})

test('behavior: a transaction behind a stuck one keeps its fee and is mined with it', async () => {
  const running = start()
  await mine(1n)
  const first = await payment()
  expect(await settle(running, first)).toMatchObject({ errorReason: 'settlement_pending' })
  await mine(50n)
  const second = await payment()
  expect(await settle(running, second)).toMatchObject({ errorReason: 'settlement_pending' })
  clock += 61_000
  await running.tend()
  expect((await store.open('eip155:31337')).map(({ replaced }) => replaced.length)).toEqual([1, 0])
  await mine(50n)
  for (const body of [first, second]) expect(await settledBy(running, body)).toMatch(/^0x/)
})

test('error: above the cap nothing is replaced and a warning is logged; below it, it settles', async () => {
  const running = start({ maxFeePerGas: 40n * GWEI })
  const { body, old } = await stuckSettlement(running)
  clock += 61_000
  await running.tend()
  expect((await theOnlyOpen())?.hash).toBe(old)
  expect(named('settlement.stuck')[0]?.fields).toMatchObject({
    hash: old,
    reason: expect.stringContaining('above the cap'),
  })
  await mine(1n)
  await running.tend()
  const by = (await theOnlyOpen())?.hash ?? '0x'
  await mine(1n)
  expect(await settledBy(running, body)).toBe(by)
  expect(await transfers([old, by])).toEqual([by])
})

test('error: a nonce that the operator used blocks nothing, and its entry is dropped', async () => {
  const running = start()
  await stuckSettlement(running)
  const { address } = facilitatorKey().account
  const { accountNonce = 0, hash } = (await theOnlyOpen()) ?? {}
  await rpc.call('anvil_dropTransaction', hash)
  await rpc.call('anvil_impersonateAccount', address)
  const nonce = `0x${accountNonce.toString(16)}`
  await rpc.call('eth_sendTransaction', { from: address, to: address, nonce, gas: '0x5208', gasPrice: '0x174876e800' })
  await mine(50n)
  clock += 61_000
  await running.tend()
  expect(named('settlement.replaced')).toEqual([])
  clock += 20 * 60_000
  await running.tend()
  expect(await store.open('eip155:31337')).toEqual([])
})

test('error: an entry that was refused while the open ones are read is not sent again', async () => {
  const { old } = await stuckSettlement(start())
  await rpc.call('anvil_dropTransaction', old)
  await mine(1n)
  const { open, discard } = store
  const running = start()
  store.open = async (network) => {
    const entries = await open(network)
    for (const entry of entries) await discard(entry)
    return entries
  }
  await running.tend()
  await mine(1n)
  expect(await transfers([old])).toEqual([])
})
