import { createClient, type Hex, http } from 'viem'
import { getCode, getTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { mintUsdc } from '../../test/helpers/contract-wallets.ts'
import { makeDelegations, newPlainPayer, type PlainPayer } from '../../test/helpers/delegations.ts'
import { makeX402Requests } from '../../test/helpers/x402-request.ts'
import { createFacilitator, type FacilitatorOptions } from '../facilitator.ts'
import { DEFAULT_GAS_BUDGET } from '../gas/gas-budget.ts'
import { makeMemoryStore } from '../store/memory-store.ts'
import type { SettlementStore } from '../store/store.ts'

const NETWORK = 'eip155:31337'
const answerSchema = z.looseObject({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string(),
})
const hex = z.templateLiteral(['0x', z.string()])

let chain: RunningChain
let rpc: Rpc
let client: ReturnType<typeof createClient>
let store: SettlementStore

beforeAll(async () => {
  chain = await startChain({ buyers: 1 })
  rpc = createRpc(chain.url)
  client = createClient({ transport: http(chain.url) })
  await rpc.call('evm_setIntervalMining', 0)
  await rpc.call('evm_setAutomine', true)
})
afterAll(() => chain.close())
beforeEach(() => {
  store = makeMemoryStore()
})

function start(options: Partial<FacilitatorOptions> = {}, batch = chain.contracts['batch']) {
  return createFacilitator({
    networks: [{ network: NETWORK, rpcUrl: chain.url, assets: [chain.usdc], payTo: chain.payTo, batch }],
    privateKeys: [facilitatorKey().privateKey],
    store,
    pollingIntervalMs: 20,
    ...options,
  })
}
type Running = ReturnType<typeof start>

const signers = new Map<Hex, ReturnType<typeof makeX402Requests>>()

/** A payer's next payment. */
function nextBody({ address, privateKey }: PlainPayer) {
  const sign = signers.get(address) ?? makeX402Requests({ ...chain, buyers: [{ address, privateKey }] })
  signers.set(address, sign)
  return sign()
}

const lower = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`

async function settle({ app }: Running, body: unknown) {
  const response = await app.request('/settle', { method: 'POST', body: JSON.stringify(body) })
  return answerSchema.parse(await response.json())
}

async function newPayers(count: number): Promise<PlainPayer[]> {
  const payers = Array.from({ length: count }, newPlainPayer)
  await mintUsdc(
    rpc,
    chain.usdc,
    100_000n,
    payers.map(({ address }) => address),
  )
  return payers
}

/** Sends what `work` settles, and mines it when so many transactions wait and `beforeBlock` has done its part. */
async function inOneBlock<T>(open: number, work: () => Promise<T>, beforeBlock: () => Promise<void>): Promise<T> {
  await rpc.call('evm_setAutomine', false)
  try {
    const answers = work()
    await expect.poll(async () => (await store.open(NETWORK)).length).toBe(open)
    await beforeBlock()
    await rpc.call('evm_mine')
    await rpc.call('evm_setAutomine', true)
    return await answers
  } finally {
    await rpc.call('evm_setAutomine', true)
  }
}

const gasOf = async (hash: string): Promise<bigint> =>
  (await getTransactionReceipt(client, { hash: hex.parse(hash) })).gasUsed

/** Gas of the transactions that the facilitator sent in the newest block. */
async function gasOfBlock(): Promise<bigint> {
  const block = z
    .object({ transactions: z.array(z.object({ hash: hex, from: z.string() })) })
    .parse(await rpc.call('eth_getBlockByNumber', 'latest', true))
  const own = facilitatorKey().account.address.toLowerCase()
  const sent = block.transactions.filter(({ from }) => from.toLowerCase() === own)
  const gas = await Promise.all(sent.map(({ hash }) => gasOf(hash)))
  return gas.reduce((sum, one) => sum + one, 0n)
}

test('error: G1 payers that delegate after the check cost a batch less than it costs them', async () => {
  const running = start({ maxBatch: 5, gatherMs: 60_000, budget: { ...DEFAULT_GAS_BUDGET, perNetwork: 1n } })
  const attack = await makeDelegations(chain.url)
  const [first, ...payers] = await newPayers(6)
  if (first === undefined) throw new Error('no payer')
  const [hostile, honest] = [payers.slice(0, 3), payers.slice(3)]
  for (const payer of honest) expect(await settle(running, await nextBody(payer))).toMatchObject({ success: true })
  const bodies = await Promise.all(payers.map(nextBody))
  const answers = await inOneBlock(
    2,
    async () => {
      const one = settle(running, await nextBody(first))
      await expect.poll(async () => (await store.open(NETWORK)).length).toBe(1)
      return Promise.all([one, ...bodies.map((body) => settle(running, body))])
    },
    () => attack.delegate(hostile),
  )
  expect(answers.map(({ success }) => success)).toEqual([true, false, false, false, true, true])
  const hash = answers.at(-1)?.transaction ?? ''
  const lost = (await gasOf(hash)) - 2n * 60_000n
  console.log(`the batch lost ${lost} gas, the attacker paid ${await attack.gasUsed()}`)
  expect(lost).toBeLessThanOrEqual(await attack.gasUsed())
  for (const { address } of hostile) expect(await getCode(client, { address })).toMatch(/^0xef0100/)
  // Above the network's budget by now: those who have paid before are still sent, and only the payers with code are charged.
  for (const payer of honest) expect(await settle(running, await nextBody(payer))).toMatchObject({ success: true })
  const keys = [...hostile, ...honest].map(({ address }) => ({ payer: lower(address), key: '' }))
  const histories = await store.histories(NETWORK, keys, new Date(0))
  expect(histories.map(({ payerRevertedAt }) => payerRevertedAt !== null)).toEqual([true, true, true, false, false])
})

test('error: G1 a payer alone that delegates after the check costs less than it pays', async () => {
  const running = start()
  const attack = await makeDelegations(chain.url)
  const [hostile] = await newPayers(1)
  if (hostile === undefined) throw new Error('no payer')
  const body = await nextBody(hostile)
  const answer = await inOneBlock(
    1,
    () => settle(running, body),
    () => attack.delegate([hostile]),
  )
  expect(answer).toMatchObject({ success: false, transaction: '' })
  const [cost, paid] = [await gasOfBlock(), await attack.gasUsed()]
  console.log(`one payment lost ${cost} gas, the attacker paid ${paid}`)
  expect(cost).toBeLessThanOrEqual(paid)
  // It has code now, and its code lost gas: refused for a day.
  expect(await settle(running, await nextBody(hostile))).toMatchObject({ success: false, transaction: '' })
})

test('behavior: G1 without the batch contract each payment has its own transaction', async () => {
  const events: string[] = []
  const log: FacilitatorOptions['log'] = (_level, event) => events.push(event)
  const running = start({ log }, `0x${'99'.repeat(20)}`)
  const payers = await newPayers(4)
  const answers = await Promise.all(payers.map(async (payer) => settle(running, await nextBody(payer))))
  expect(answers.map(({ success }) => success)).toEqual([true, true, true, true])
  expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(4)
  expect(events.filter((event) => event === 'batch.missing')).toHaveLength(1)
})

test('error: G1 other code, another payee or other tokens are refused at the start', async () => {
  const other = `0x${'88'.repeat(20)}` as const
  const wrong = (change: object) =>
    createFacilitator({
      networks: [
        {
          ...{ network: NETWORK, rpcUrl: chain.url, assets: [chain.usdc], payTo: chain.payTo },
          ...{ batch: chain.contracts['batch'], ...change },
        },
      ],
      privateKeys: [facilitatorKey().privateKey],
    }).checkContracts()
  await expect(wrong({})).resolves.toBeUndefined()
  await expect(wrong({ batch: chain.usdc })).rejects.toThrow('has other code')
  await expect(wrong({ payTo: other })).rejects.toThrow('pays another payee')
  await expect(wrong({ assets: [chain.usdc, other] })).rejects.toThrow('does not take every token')
})
