import { type Hex, pad, serializeTransaction } from 'viem'
import { DEFAULT_GAS_BUDGET } from '../../../facilitator/gas-budget.ts'
import { makeNetwork } from '../../../facilitator/network.ts'
import type { SigningKey } from '../../../facilitator/sender.ts'
import { makeSettler } from '../../../facilitator/settler.ts'
import type { SettlementStore } from '../../../facilitator/store.ts'
import type { Engine } from '../engine.ts'
import type { Mutant } from './mutants.ts'
import { makeNode } from './node.ts'
import type { Payment } from './payments.ts'
import { NETWORK } from './payments.ts'
import { GWEI, RpcRefusal, type TokenChain } from './token-chain.ts'

export const FAULT_KINDS = [
  'fails',
  'answer lost',
  'worker dies as it arrives',
  'worker dies before it arrives',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

const SHARE_EVERY_MS = 2_000
const TEND_EVERY_MS = 15_000

/** What all processes share. */
export interface World {
  engine: Engine<string, FaultKind>
  chain: TokenChain
  store: SettlementStore
  turns: ReturnType<typeof makeTurns>
  /** The process that holds each key. */
  holders: Map<Hex, number>
  alive: Set<number>
  mutant: Mutant
}

export const KEYS: readonly Hex[] = [1, 2, 3].map((number) => pad(`0x${number}${number}`, { size: 20 }))

/** A key whose transactions carry its address in place of a signature. */
const signingKey = (address: Hex): SigningKey => ({
  address,
  signTransaction: async (transaction) =>
    serializeTransaction(transaction, { r: pad(address, { size: 32 }), s: pad('0x01', { size: 32 }), yParity: 0 }),
})

/** The store's turns: a process that ends frees its own. */
export function makeTurns() {
  let holder: number | null = null
  const waiting: { owner: number; start(): void }[] = []
  function next(): void {
    const first = waiting.shift()
    holder = first?.owner ?? null
    first?.start()
  }
  return {
    take: (owner: number): Promise<void> =>
      new Promise((start) => {
        waiting.push({ owner, start })
        if (holder === null) next()
      }),
    free: (owner: number): void => {
      if (holder === owner) next()
    },
    died(owner: number): void {
      for (const each of waiting.filter((one) => one.owner === owner)) waiting.splice(waiting.indexOf(each), 1)
      if (holder === owner) next()
    },
  }
}

/** One process of the facilitator: the real code on a simulated node, clock and database. */
export function startProcess(world: World, owner: number) {
  const { engine, chain, holders, alive, mutant } = world
  alive.add(owner)

  const reach = <T>(op: string, work: () => T | Promise<T>): Promise<T> =>
    engine.call(owner, op, async (fault) => {
      if (fault === 'fails') throw new Error(`${op} failed`)
      const result = await work()
      const isRefusal = mutant.lostIsRefusal && op === 'eth_sendRawTransaction'
      if (fault === 'answer lost' && isRefusal) throw new RpcRefusal('insufficient funds')
      if (fault === 'answer lost') throw new Error(`the answer of ${op} was lost`)
      return result
    })
  const inTurn = async <T>(_network: string, work: () => Promise<T>): Promise<T> => {
    await reach('store.inTurn', () => undefined)
    await world.turns.take(owner)
    return work().finally(() => world.turns.free(owner))
  }
  const store = mutant.store({ ...reached(world.store, reach), inTurn })
  const timing = { sleep: (ms: number) => engine.wait(ms, owner), elapsed: () => engine.now().getTime() }
  const network = makeNetwork({
    network: NETWORK,
    transport: makeNode(chain, (method, work) => reach(method, work), mutant.claimsAll),
    rpcUrl: 'http://127.0.0.1:9',
    keys: KEYS.map(signingKey),
    maxBatch: 4,
    confirmationTimeoutMs: 25_000,
    pollingIntervalMs: 1_000,
    maxGas: 300_000n,
    maxFeePerGas: 100n * GWEI,
    budget: DEFAULT_GAS_BUDGET,
    store,
    timing,
    now: engine.now,
    log: (_level, event, fields) => engine.note(`worker ${owner} logs ${event} ${JSON.stringify(fields ?? {})}`),
  })
  const settler = makeSettler({ store, log: () => undefined })
  const verify = ({ nonce, payer, value }: Payment) =>
    reach('verify', () => {
      if (chain.isUsed(nonce)) return { isValid: false, invalidReason: 'invalid_exact_evm_nonce_already_used' }
      const isCovered = chain.balanceOf(payer) >= value
      return isCovered ? { isValid: true } : { isValid: false, invalidReason: 'invalid_exact_evm_insufficient_balance' }
    })

  async function share(): Promise<void> {
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

  const repeat = (everyMs: number, work: () => Promise<void>): void => {
    const loop = async (): Promise<void> => {
      await work().catch(() => undefined)
      await engine.wait(everyMs, owner)
      return loop()
    }
    void loop()
  }
  repeat(SHARE_EVERY_MS, share)
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
        verify: async () => ({ payer: payment.payer, ...(await verify(payment)) }),
        verifyFrom: async () => ({ payer: payment.payer, isValid: true }),
      }
      return settler.settle({ network, verifier }, payment.payload, payment.payload.accepted)
    },
  }
}

export type Process = ReturnType<typeof startProcess>

type Reach = <T>(op: string, work: () => T | Promise<T>) => Promise<T>

/** The store as one process reaches it: each call may fail, be lost, or be the last one. */
function reached(store: SettlementStore, reach: Reach): Omit<SettlementStore, 'inTurn'> {
  return {
    find: (key) => reach('store.find', () => store.find(key)),
    read: (id) => reach('store.read', () => store.read(id)),
    record: (sent) => reach('store.record', () => store.record(sent)),
    replace: (...args) => reach('store.replace', () => store.replace(...args)),
    end: (...args) => reach('store.end', () => store.end(...args)),
    reopen: (id) => reach('store.reopen', () => store.reopen(id)),
    discard: (id) => reach('store.discard', () => store.discard(id)),
    forget: (...args) => reach('store.forget', () => store.forget(...args)),
    open: (network) => reach('store.open', () => store.open(network)),
    minedFrom: (id) => reach('store.minedFrom', () => store.minedFrom(id)),
    nextNonce: (id) => reach('store.nextNonce', () => store.nextNonce(id)),
    inFlight: (network) => reach('store.inFlight', () => store.inFlight(network)),
    standings: (...args) => reach('store.standings', () => store.standings(...args)),
    prune: (before) => store.prune(before),
    ping: () => store.ping(),
  }
}
