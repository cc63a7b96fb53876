import type { Hono } from 'hono'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { BRAKE_MS, CREDIT_MS, DEFAULT_GAS_BUDGET, type GasBudget } from './gas/gas-budget.ts'
import type { AllowedNetwork } from './http/allow-list.ts'
import { createApp } from './http/app.ts'
import { makeHealth } from './http/health.ts'
import type { SigningKey } from './keys/sender.ts'
import { type Log, reasonOf } from './log.ts'
import { makeNetwork } from './network.ts'
import { makeSettler } from './settle/settler.ts'
import { makeVerifier } from './settle/verifier.ts'
import { makeMemoryStore } from './store/memory-store.ts'
import type { SettlementStore } from './store/store.ts'
import { realTiming } from './timing.ts'

export interface FacilitatorOptions {
  networks: readonly AllowedNetwork[]
  /** Each pays gas on every network. */
  privateKeys: readonly Hex[]
  /** Other processes have the same keys: this one signs only after `hold`. Default: with all. */
  sharesKeys?: boolean
  /** Bearer tokens that are accepted; without any, every caller is. */
  tokens?: readonly string[]
  /** Default: in memory. */
  store?: SettlementStore
  /** Default 25 s: below the 30 s after which the worker stops waiting, so that it receives `settlement_pending`. */
  confirmationTimeoutMs?: number
  pollingIntervalMs?: number
  maxGas?: bigint
  /** Wei per gas. */
  maxFeePerGas?: bigint
  /** Payments in one transaction at most. */
  maxBatch?: number
  /** How long a payment waits for others while a transaction of its key is under way. */
  gatherMs?: number
  /** A balance below this many wei is logged as a warning. */
  lowBalance?: bigint
  /** Gas that reverts may cost. */
  budget?: GasBudget
  now?(): Date
  log?: Log
}

export const DEFAULT_MAX_BATCH = 100
/** Of a payer with code: its check may be a passkey's or several signers'. */
export const DEFAULT_MAX_GAS = 400_000n
export const DEFAULT_GATHER_MS = 250
const GWEI = 1_000_000_000n
/** An answered transaction is kept this long: the block that holds it may still be replaced. */
const KEEP_ANSWERED_MS = 10 * 60_000
/** An ended entry whose caller did not return for the answer is dropped after this: no authorization lives as long. */
const KEEP_LEFT_MS = 20 * 60_000

export interface Facilitator {
  app: Hono<{ Bindings: object }>
  addresses: readonly Hex[]
  /** Checks every batch contract. Throws `WrongBatchContract` for an address with other code, another payee or other tokens. */
  checkContracts(): Promise<void>
  /** Signs with this key from now on, and sends again what it has open. */
  hold(address: Hex): Promise<void>
  /** Signs with it no more; resolves when no payment waits for it. */
  drop(address: Hex): Promise<void>
  /** Sends again what is not mined, checks the balances, drops old records. Call it at the start and regularly. */
  tend(): Promise<void>
  /** Resolves when no settlement is running, or after `ms`. */
  idle(ms: number): Promise<void>
}

/** The whole program except its socket, its database locks and its timer. */
export function createFacilitator(options: FacilitatorOptions): Facilitator {
  const { privateKeys, store = makeMemoryStore(), log = () => undefined, now = () => new Date() } = options
  const keys = privateKeys.map((privateKey) => privateKeyToAccount(privateKey))
  const chains = options.networks.map((allowed) => makeChain(options, allowed, keys, { store, log, now }))
  const settler = makeSettler({ store, log })
  const networks = chains.map(({ network }) => network)
  const health = makeHealth({ networks, ping: store.ping, lowBalance: options.lowBalance ?? 0n, now, log })
  const resend = (network: (typeof networks)[number]) =>
    network.resend().catch((error: unknown) => {
      log('error', 'resend.failed', { network: network.network, reason: reasonOf(error) })
    })
  const ago = (ms: number) => new Date(now().getTime() - ms)
  const prune = () =>
    store
      .prune({
        reverts: ago(BRAKE_MS),
        credits: ago(CREDIT_MS),
        answered: ago(KEEP_ANSWERED_MS),
        left: ago(KEEP_LEFT_MS),
      })
      .catch((error: unknown) => {
        log('warn', 'prune.failed', { reason: reasonOf(error) })
      })
  const hold = (address: Hex): void => {
    for (const network of networks) network.hold(address)
  }
  if (!options.sharesKeys) for (const { address } of keys) hold(address)
  const tend = async (): Promise<void> => void (await Promise.all([...networks.map(resend), health(), prune()]))
  return {
    app: createApp({ networks: options.networks, chains, settler, tokens: options.tokens ?? [], health, log }),
    addresses: keys.map(({ address }) => address),
    checkContracts: async () => void (await Promise.all(networks.map((network) => network.checkBatch()))),
    async hold(address) {
      hold(address)
      await Promise.all(networks.map(resend))
    },
    drop: async (address) => void (await Promise.all(networks.map((network) => network.drop(address)))),
    tend,
    idle: settler.idle,
  }
}

type Shared = Required<Pick<FacilitatorOptions, 'store' | 'log' | 'now'>>

function makeChain(
  options: FacilitatorOptions,
  { network: name, rpcUrl, batch, payTo, assets }: AllowedNetwork,
  keys: readonly SigningKey[],
  shared: Shared,
) {
  const { maxGas = DEFAULT_MAX_GAS, maxFeePerGas = 500n * GWEI } = options
  const network = makeNetwork({
    network: name,
    rpcUrl,
    batch,
    payTo,
    assets,
    keys,
    ...shared,
    timing: realTiming,
    confirmationTimeoutMs: options.confirmationTimeoutMs ?? 25_000,
    pollingIntervalMs: options.pollingIntervalMs ?? 250,
    maxGas,
    maxFeePerGas,
    maxBatch: options.maxBatch ?? DEFAULT_MAX_BATCH,
    gatherMs: options.gatherMs ?? DEFAULT_GATHER_MS,
    budget: options.budget ?? DEFAULT_GAS_BUDGET,
  })
  const { client, addresses } = network
  return { network, verifier: makeVerifier({ client, addresses, keys, maxGas, maxFeePerGas }) }
}
