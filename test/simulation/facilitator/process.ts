import { type Hex, pad, serializeTransaction } from 'viem'
import { DEFAULT_GAS_BUDGET } from '../../../facilitator/gas/gas-budget.ts'
import type { SigningKey } from '../../../facilitator/keys/sender.ts'
import { makeNetwork, type Network } from '../../../facilitator/network.ts'
import { makeSettler } from '../../../facilitator/settle/settler.ts'
import type { SettlementStore } from '../../../facilitator/store/store.ts'
import type { Engine } from '../engine.ts'
import type { Mutant } from './mutants.ts'
import { makeNode } from './node.ts'
import { NETWORK, PAY_TO, type Payment } from './payments.ts'
import { type Reach, reachedStore, type Turns } from './process-store.ts'
import { GWEI, RpcRefusal, TOKEN, type TokenChain } from './token-chain.ts'
import { BATCH } from './transfers.ts'

export const FAULT_KINDS = [
  'fails',
  'answer lost',
  'worker dies as it arrives',
  'worker dies before it arrives',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

const SHARE_EVERY_MS = 2_000
const TEND_EVERY_MS = 15_000

/** The objects that all processes share. */
export interface World {
  engine: Engine<string, FaultKind>
  chain: TokenChain
  store: SettlementStore
  turns: Turns
  /** The process that holds each key. */
  holders: Map<Hex, number>
  alive: Set<number>
  mutant: Mutant
  /** Set when a process could not look at the batch contract, and sends payments one by one. */
  isDirect: boolean
}

export const KEYS: readonly Hex[] = [1, 2, 3].map((number) => pad(`0x${number}${number}`, { size: 20 }))

/** A key whose transactions carry its address in place of a signature. */
const signingKey = (address: Hex): SigningKey => ({
  address,
  signTransaction: async (transaction) =>
    serializeTransaction(transaction, { r: pad(address, { size: 32 }), s: pad('0x01', { size: 32 }), yParity: 0 }),
})

/** One process of the facilitator: the real code on a simulated node, clock and database. */
export function startProcess(world: World, owner: number) {
  const { engine, chain, alive } = world
  alive.add(owner)
  const reach = reachOf(world, owner)
  const store = world.mutant.store(reachedStore(world.store, world.turns, owner, reach))
  const network = startNetwork(world, owner, store, reach)
  const settler = makeSettler({ store, log: () => undefined })

  const repeat = (everyMs: number, work: () => Promise<void>): void => {
    const loop = async (): Promise<void> => {
      await work().catch(() => undefined)
      await engine.wait(everyMs, owner)
      return loop()
    }
    void loop()
  }
  repeat(SHARE_EVERY_MS, () => shareKeys(world, owner, network))
  repeat(TEND_EVERY_MS, () => network.resend())

  return {
    owner,
    /** Signs with a key that another process holds, as after a connection that only one side lost. */
    steal: (key: Hex): void => network.hold(key),
    settle(payment: Payment) {
      const verifier = {
        get scheme(): never {
          throw new Error('no list is asked for')
        },
        verify: async () => ({ payer: payment.payer, ...(await reach('verify', () => verify(chain, payment))) }),
        fits: () => true,
      }
      return settler.settle({ network, verifier }, payment.payload, payment.payload.accepted)
    },
  }
}

export type Process = ReturnType<typeof startProcess>

/** A call of this process to the node or the store, with the fault that the engine chooses. */
const reachOf =
  ({ engine, mutant }: World, owner: number): Reach =>
  (op, work) =>
    engine.call(owner, op, async (fault) => {
      if (fault === 'fails') throw new Error(`${op} failed`)
      const result = await work()
      const isRefusal = mutant.lostIsRefusal && op === 'eth_sendRawTransaction'
      if (fault === 'answer lost' && isRefusal) throw new RpcRefusal('insufficient funds')
      if (fault === 'answer lost') throw new Error(`the answer of ${op} was lost`)
      return result
    })

/** So little that a few delegations exhaust it. */
const BUDGET = { ...DEFAULT_GAS_BUDGET, perNetwork: 200_000n }

function startNetwork(world: World, owner: number, store: SettlementStore, reach: Reach): Network {
  const { engine, chain, mutant } = world
  return makeNetwork({
    network: NETWORK,
    transport: makeNode(chain, (method, work) => reach(method, work), mutant.claimsAll),
    rpcUrl: 'http://127.0.0.1:9',
    keys: KEYS.map(signingKey),
    batch: BATCH,
    payTo: PAY_TO,
    assets: [TOKEN],
    maxBatch: 4,
    gatherMs: 250,
    confirmationTimeoutMs: 25_000,
    pollingIntervalMs: 1_000,
    maxGas: 300_000n,
    maxFeePerGas: 100n * GWEI,
    budget: BUDGET,
    store,
    timing: {
      sleep: (ms: number) => engine.wait(ms, owner),
      arrived: () => Promise.resolve(),
      elapsed: () => engine.now().getTime(),
    },
    now: engine.now,
    log: (_level, event, fields) => {
      world.isDirect ||= event === 'batch.failed'
      engine.note(`worker ${owner} logs ${event} ${JSON.stringify(fields ?? {})}`)
    },
  })
}

/** Takes free keys up to an equal share, and drops what is above it. */
async function shareKeys({ alive, holders }: World, owner: number, network: Network): Promise<void> {
  const fair = Math.ceil(KEYS.length / alive.size)
  for (const key of KEYS.filter((key) => holders.get(key) === owner).slice(fair)) {
    await network.drop(key)
    if (holders.get(key) === owner) holders.delete(key)
  }
  for (const key of KEYS) {
    const held = KEYS.filter((one) => holders.get(one) === owner).length
    if (held >= fair || holders.has(key)) continue
    holders.set(key, owner)
    network.hold(key)
    await network.resend().catch(() => undefined)
  }
}

function verify(chain: TokenChain, { nonce, payer, value }: Payment) {
  if (chain.isUsed(nonce)) return { isValid: false, invalidReason: 'invalid_exact_evm_nonce_already_used' }
  const isCovered = chain.balanceOf(payer) >= value
  return isCovered ? { isValid: true } : { isValid: false, invalidReason: 'invalid_exact_evm_insufficient_balance' }
}
