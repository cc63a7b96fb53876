import { createClient, type Hex, http } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { createFacilitator } from '../../facilitator/facilitator.ts'
import { DEFAULT_GAS_BUDGET } from '../../facilitator/gas/gas-budget.ts'
import { makeMemoryStore } from '../../facilitator/store/memory-store.ts'
import { mintUsdc } from '../helpers/contract-wallets.ts'
import { makeDelegations, newPlainPayer, type PlainPayer } from '../helpers/delegations.ts'
import { makeX402Requests } from '../helpers/x402-request.ts'

const NETWORK = 'eip155:31337'
const hex = z.templateLiteral(['0x', z.string()])
const answerSchema = z.looseObject({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string(),
})
const blockSchema = z.object({ transactions: z.array(z.object({ hash: hex, from: z.string() })) })

/** Of 200 attackers so many come in batches, and the others one by one. */
const IN_BATCHES = 180
const ALONE = 20
const ATTACKERS_IN_A_BLOCK = 60
const HONEST = 20
const LOST_GAS = 3_500_000n

let chain: RunningChain
let rpc: Rpc
let facilitator: ReturnType<typeof makeFacilitator>
const store = makeMemoryStore()

beforeAll(async () => {
  chain = await startChain({ buyers: 1 })
  rpc = createRpc(chain.url)
  facilitator = makeFacilitator()
  await rpc.call('evm_setIntervalMining', 0)
  await rpc.call('evm_setAutomine', true)
})
afterAll(() => chain.close())

const signers = new Map<Hex, ReturnType<typeof makeX402Requests>>()

/** A payer's next payment. */
function nextBody({ address, privateKey }: PlainPayer) {
  const sign = signers.get(address) ?? makeX402Requests({ ...chain, buyers: [{ address, privateKey }] })
  signers.set(address, sign)
  return sign()
}

const makeFacilitator = () =>
  createFacilitator({
    networks: [
      {
        ...{ network: NETWORK, rpcUrl: chain.url, assets: [chain.usdc], payTo: chain.payTo },
        batch: chain.contracts['batch'],
      },
    ],
    privateKeys: [facilitatorKey().privateKey],
    store,
    pollingIntervalMs: 20,
    confirmationTimeoutMs: 60_000,
    // The last block of the attack exhausts it: who has paid before must not notice.
    budget: { ...DEFAULT_GAS_BUDGET, perNetwork: LOST_GAS },
  })

async function settle(body: unknown) {
  const response = await facilitator.app.request('/settle', { method: 'POST', body: JSON.stringify(body) })
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

/** Gas of the facilitator's transactions from block `first` on, without what the honest payments in them would cost by themselves. */
async function operatorGas(first: number): Promise<bigint> {
  const client = createClient({ transport: http(chain.url) })
  const last = Number(await rpc.call('eth_blockNumber'))
  const own = facilitatorKey().account.address.toLowerCase()
  let gas = 0n
  for (let number = first; number <= last; number += 1) {
    const block = blockSchema.parse(await rpc.call('eth_getBlockByNumber', `0x${number.toString(16)}`, true))
    for (const { hash, from } of block.transactions) {
      if (from.toLowerCase() === own) gas += (await getTransactionReceipt(client, { hash })).gasUsed
    }
  }
  return gas
}

test('error: G1 200 delegating payers pay more than they cost, and no honest payment is late', {
  timeout: 240_000,
}, async () => {
  const attack = await makeDelegations(chain.url)
  const [hostile, honest] = [await newPayers(IN_BATCHES + ALONE), await newPayers(HONEST)]
  const openEntries = async () =>
    (await store.open(NETWORK)).flatMap(({ entries }) => entries.filter(({ endedAt }) => endedAt === null)).length
  await rpc.call('evm_setAutomine', true)
  const warm = await Promise.all(honest.map(async (payer) => settle(await nextBody(payer))))
  expect(warm.map(({ success }) => success)).toEqual(Array(HONEST).fill(true))

  /** These payments, all in one block in which the attackers among them delegate first. Returns the answers of the honest ones. */
  async function round(attackers: readonly PlainPayer[], others: readonly PlainPayer[]) {
    const bodies = await Promise.all([...attackers, ...others].map(nextBody))
    await rpc.call('evm_setAutomine', false)
    const answers = bodies.map((body) => settle(body))
    await expect.poll(openEntries, { timeout: 30_000 }).toBe(bodies.length)
    await attack.delegate(attackers)
    await rpc.call('evm_mine')
    await rpc.call('evm_setAutomine', true)
    const [ofAttackers, ofOthers] = [
      await Promise.all(answers.slice(0, attackers.length)),
      await Promise.all(answers.slice(attackers.length)),
    ]
    expect(ofAttackers.every(({ success }) => !success)).toBe(true)
    return ofOthers
  }

  const first = Number(await rpc.call('eth_blockNumber')) + 1
  for (const payer of hostile.slice(IN_BATCHES)) await round([payer], [])
  for (let at = 0; at < IN_BATCHES; at += ATTACKERS_IN_A_BLOCK) {
    const answers = await round(hostile.slice(at, at + ATTACKERS_IN_A_BLOCK), honest)
    // The block that was mined above paid all of them, under the attackers' own delegations.
    expect(answers.map(({ success, errorReason }) => errorReason ?? success)).toEqual(Array(HONEST).fill(true))
  }
  const paid = BigInt(HONEST * (IN_BATCHES / ATTACKERS_IN_A_BLOCK))
  const honestGas = honestCost(paid)

  const [ofOperator, ofAttackers] = [(await operatorGas(first)) - honestGas, await attack.gasUsed()]
  console.log(`200 delegations cost the operator ${ofOperator} gas, and the attackers ${ofAttackers}`)
  expect(ofOperator).toBeGreaterThan(0n)
  expect(ofOperator).toBeLessThanOrEqual(ofAttackers)
  const [history] = await store.histories(NETWORK, [{ payer: '0x', key: '' }], new Date(0))
  expect(history?.networkLost).toBeGreaterThan(LOST_GAS)
  const again = await Promise.all(honest.map(async (payer) => settle(await nextBody(payer))))
  expect(again.map(({ success, errorReason }) => errorReason ?? success)).toEqual(Array(HONEST).fill(true))
})

/** Gas of one payment in a batch of 50, as `facilitator/keys/batch.test.ts` prints it: less than that is the operator's own cost. */
const GAS_OF_ONE = 40_000n
const honestCost = (count: bigint): bigint => count * GAS_OF_ONE
