import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { paymentBatchAbi } from '../../contracts/abi/payment-batch.ts'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { createFacilitator, type Facilitator } from '../../facilitator/facilitator.ts'
import { DEFAULT_GAS_BUDGET } from '../../facilitator/gas/gas-budget.ts'
import { installSwitch, mintUsdc, setCode, walletAt, walletCode } from '../helpers/contract-wallets.ts'
import { makeX402Requests } from '../helpers/x402-request.ts'

const PRICE = 10_000n
const SWITCH = walletAt(0, 0)
/** Hostile wallets call this often, with a pause of a few blocks in between. */
const ROUNDS = 4
const PAUSE_MS = 500

const answerSchema = z.looseObject({
  success: z.boolean().optional(),
  errorReason: z.string().optional(),
  isValid: z.boolean().optional(),
  invalidReason: z.string().optional(),
})
const transactionSchema = z.object({
  hash: z.string(),
  from: z.string(),
  input: z.templateLiteral(['0x', z.string()]),
})
const SETTLE = encodeFunctionData({ abi: paymentBatchAbi, functionName: 'settle', args: [[]] }).slice(0, 10)
const blockSchema = z.object({ transactions: z.array(transactionSchema) })
const receiptSchema = z.object({
  status: z.string(),
  gasUsed: z.string(),
  logs: z.array(z.object({ topics: z.array(z.string()) })),
})

type Sign = ReturnType<typeof makeX402Requests>
/** Makes the payments with which a payer calls, in the order of its rounds; one round's payments are sent at once. */
interface Payer {
  kind: string
  address: Hex
  rounds(): Promise<object[][]>
}

let chain: RunningChain
let rpc: Rpc
let facilitator: Facilitator
let attack: Awaited<ReturnType<typeof installSwitch>>
let sign: Sign

beforeAll(async () => {
  chain = await startChain({ buyers: 1 })
  rpc = createRpc(chain.url)
  sign = makeX402Requests(chain)
  attack = await installSwitch(chain.url, SWITCH)
  facilitator = createFacilitator({
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
    pollingIntervalMs: 100,
  })
})
afterAll(() => chain.close())

async function post(path: '/verify' | '/settle', body: object) {
  const response = await facilitator.app.request(path, { method: 'POST', body: JSON.stringify(body) })
  return answerSchema.parse(await response.json())
}

/** Verifies and settles as the worker does; a caller without an answer asks again. */
async function buy(body: object): Promise<boolean> {
  const verified = await post('/verify', body)
  if (verified.isValid !== true) return false
  for (;;) {
    const answer = await post('/settle', body)
    if (!/pending|duplicate/.test(answer.errorReason ?? '')) return answer.success === true
    await pause(200)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Plain accounts that sign for themselves. */
function plainPayers(kind: string, count: number, rounds: (sign: Sign) => Promise<object[][]>): Payer[] {
  return times(count, () => {
    const privateKey = generatePrivateKey()
    const { address } = privateKeyToAccount(privateKey)
    const signOwn = makeX402Requests({ ...chain, buyers: [{ address, privateKey }] })
    return { kind, address, rounds: () => rounds(signOwn) }
  })
}

async function contractWallets(
  kind: string,
  group: number,
  { count, code, rounds }: { count: number; code: Hex; rounds(wallet: Hex): Promise<object[][]> },
): Promise<Payer[]> {
  const addresses = times(count, (index) => walletAt(group, index))
  await Promise.all(addresses.map((address) => setCode(rpc, address, code)))
  return addresses.map((address) => ({ kind, address, rounds: () => rounds(address) }))
}

/** The same payment in every round, and a new one beside it. */
async function repeats(wallet: Hex): Promise<object[][]> {
  const first = await sign({}, { wallet })
  return Promise.all(times(ROUNDS, async () => [first, await sign({}, { wallet })]))
}

async function makeHostile(): Promise<Payer[]> {
  const groups = await Promise.all([
    contractWallets('valid only without a gas price', 1, { count: 90, code: walletCode.freeGasOnly, rounds: repeats }),
    contractWallets('reverts in the block', 2, { count: 50, code: walletCode.switched(SWITCH), rounds: repeats }),
    contractWallets('burns its gas in the block', 3, { count: 45, code: walletCode.burning(SWITCH), rounds: repeats }),
    contractWallets('two signatures for one authorization', 4, {
      count: 5,
      code: walletCode.honest,
      async rounds(wallet) {
        const first = await sign({}, { wallet })
        const second = structuredClone(first)
        second.paymentPayload.payload.signature = `0x${'22'.repeat(64)}1c`
        return times(ROUNDS, () => [first, second])
      },
    }),
  ])
  const tenAtOnce = plainPayers('one balance behind ten payments', 5, async (signOwn) => [
    await Promise.all(times(10, () => signOwn())),
  ])
  const spent = plainPayers('a spent nonce sent again', 5, async (signOwn) => {
    const body = await signOwn()
    return times(ROUNDS, () => [body, body])
  })
  return [...groups.flat(), ...tenAtOnce, ...spent]
}

async function makeHonest(): Promise<Payer[]> {
  const regulars = await contractWallets('contract wallet', 9, {
    count: 4,
    code: walletCode.honest,
    rounds: async (wallet) => [[await sign({}, { wallet })]],
  })
  return [...regulars, ...plainPayers('plain account', 16, async (signOwn) => [[await signOwn()]])]
}

/** Runs a payer's rounds and returns how many of its payments were settled. */
async function run({ rounds }: Payer): Promise<number> {
  let settled = 0
  for (const bodies of await rounds()) {
    settled += (await Promise.all(bodies.map(buy))).filter((isSettled) => isSettled).length
    await pause(PAUSE_MS)
  }
  return settled
}

/** Mines a block every 100 ms, as an attacker has it that turns its wallets over in each of them. */
function startMining(): { stop(): Promise<void> } {
  let isRunning = true
  const loop = async () => {
    while (isRunning) {
      await pause(100)
      await attack.mineWithItOn()
    }
  }
  const running = loop()
  return {
    stop: () => {
      isRunning = false
      return running
    },
  }
}

interface Cost {
  sent: number
  reverted: number
  gas: bigint
  lostGas: bigint
}

/** The payers of a transaction: of one transfer, or of the transfers in a batch. */
function payersOf(input: Hex): string[] {
  const payerOf = (data: Hex): string => `0x${data.slice(34, 74)}`
  if (!input.startsWith(SETTLE)) return [payerOf(input)]
  const { args: [payments = []] = [] } = decodeFunctionData({ abi: paymentBatchAbi, data: input })
  return payments.map(({ from }) => from.toLowerCase())
}

/** The cost of the facilitator's transactions from block `first` on, by payer. */
async function costs(first: number): Promise<Map<string, Cost>> {
  const last = Number(await rpc.call('eth_blockNumber'))
  const blocks = z.array(blockSchema).parse(
    await rpc.batch(
      times(last - first + 1, (index) => ({
        method: 'eth_getBlockByNumber',
        params: [`0x${(first + index).toString(16)}`, true],
      })),
    ),
  )
  const own = facilitatorKey().account.address.toLowerCase()
  const sent = blocks.flatMap(({ transactions }) => transactions).filter(({ from }) => from.toLowerCase() === own)
  const receipts = z
    .array(receiptSchema)
    .parse(await rpc.batch(sent.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))))
  const byPayer = new Map<string, Cost>()
  for (const [index, { status, gasUsed, logs }] of receipts.entries()) {
    const payers = payersOf(sent[index]?.input ?? '0x')
    for (const payer of payers) {
      const cost = byPayer.get(payer) ?? { sent: 0, reverted: 0, gas: 0n, lostGas: 0n }
      const isReverted = status !== '0x1' || !logs.some(({ topics }) => topics[1]?.endsWith(payer.slice(2)))
      const gas = BigInt(gasUsed) / BigInt(payers.length)
      byPayer.set(payer, {
        sent: cost.sent + 1,
        reverted: cost.reverted + (isReverted ? 1 : 0),
        gas: cost.gas + gas,
        lostGas: cost.lostGas + (isReverted ? gas : 0n),
      })
    }
  }
  return byPayer
}

function totalOf(byPayer: Map<string, Cost>, payers: readonly Payer[]): Cost {
  const total = { sent: 0, reverted: 0, gas: 0n, lostGas: 0n }
  for (const { address } of payers) {
    const cost = byPayer.get(address.toLowerCase())
    if (cost === undefined) continue
    total.sent += cost.sent
    total.reverted += cost.reverted
    total.gas += cost.gas
    total.lostGas += cost.lostGas
  }
  return total
}

function line(kind: string, payers: readonly Payer[], { sent, reverted, gas, lostGas }: Cost): string {
  return [kind, payers.length, sent, reverted, gas, lostGas].join(' | ')
}

test('behavior: 200 hostile wallets cost at most twice the gas of 20 honest ones', {
  timeout: 240_000,
}, async () => {
  const [hostile, honest] = [await makeHostile(), await makeHonest()]
  expect([hostile.length, honest.length]).toEqual([200, 20])
  await mintUsdc(
    rpc,
    chain.usdc,
    PRICE,
    hostile.map(({ address }) => address),
  )
  await mintUsdc(
    rpc,
    chain.usdc,
    2n * PRICE,
    honest.map(({ address }) => address),
  )
  const regulars = honest.filter(({ kind }) => kind === 'contract wallet')
  expect(await Promise.all(regulars.map(run))).toEqual([1, 1, 1, 1])

  await rpc.call('evm_setAutomine', false)
  await rpc.call('evm_setIntervalMining', 0)
  const first = Number(await rpc.call('eth_blockNumber')) + 1
  const mining = startMining()
  const [settled] = await Promise.all([Promise.all(honest.map(run)), Promise.all(hostile.map(run))])
  await mining.stop()

  const byPayer = await costs(first)
  const ofHonest = totalOf(byPayer, honest)
  const ofHostile = totalOf(byPayer, hostile)
  const kinds = [...new Set(hostile.map(({ kind }) => kind))]
  const ofKind = (kind: string) => hostile.filter((payer) => payer.kind === kind)
  console.log(
    [
      'payers | wallets | transactions | reverted | gas | gas lost',
      ...kinds.map((kind) => line(kind, ofKind(kind), totalOf(byPayer, ofKind(kind)))),
      line('all hostile', hostile, ofHostile),
      line('honest', honest, ofHonest),
    ].join('\n'),
  )
  expect(settled).toEqual(Array(20).fill(1))
  expect(ofHonest).toMatchObject({ sent: 20, reverted: 0 })
  expect(ofHostile.reverted).toBeGreaterThan(0)
  expect(ofHostile.lostGas).toBeLessThanOrEqual(DEFAULT_GAS_BUDGET.onTrial)
  expect(ofHostile.gas).toBeLessThanOrEqual(2n * ofHonest.gas)
  const paidOnce = [
    'two signatures for one authorization',
    'one balance behind ten payments',
    'a spent nonce sent again',
  ]
  for (const kind of paidOnce) expect(totalOf(byPayer, ofKind(kind)), kind).toMatchObject({ sent: 5, reverted: 0 })
})
