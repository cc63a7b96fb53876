import type { Hono } from 'hono'
import type { Hex } from 'viem'
import type { AllowedNetwork } from './allow-list.ts'
import { createApp } from './app.ts'
import { makeChainAccount } from './chain-account.ts'
import { BRAKE_MS, CREDIT_MS, DEFAULT_GAS_BUDGET, type GasBudget } from './gas-budget.ts'
import { makeHealth } from './health.ts'
import { type Log, reasonOf } from './log.ts'
import { makeMemoryStore } from './memory-store.ts'
import { makeSettler } from './settler.ts'
import type { SettlementStore } from './store.ts'

export interface FacilitatorOptions {
  networks: readonly AllowedNetwork[]
  /** Pays the gas. */
  privateKey: Hex
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
  /** A balance below this many wei is logged as a warning. */
  lowBalance?: bigint
  /** Gas that reverts may cost. */
  budget?: GasBudget
  now?(): Date
  log?: Log
}

const GWEI = 1_000_000_000n

export interface Facilitator {
  app: Hono<{ Bindings: object }>
  /** Sends again what is not mined, checks the balances, drops old records. Call it at the start and regularly. */
  tend(): Promise<void>
  /** Resolves when no settlement is running, or after `ms`. */
  idle(ms: number): Promise<void>
}

/** The whole program except its socket, its database lock and its timer. */
export function createFacilitator(options: FacilitatorOptions): Facilitator {
  const { networks, privateKey, store = makeMemoryStore(), log = () => undefined, now = () => new Date() } = options
  const accounts = networks.map(({ network, rpcUrl }) =>
    makeChainAccount({
      network,
      rpcUrl,
      privateKey,
      store,
      now,
      log,
      confirmationTimeoutMs: options.confirmationTimeoutMs ?? 25_000,
      pollingIntervalMs: options.pollingIntervalMs ?? 1_000,
      maxGas: options.maxGas ?? 300_000n,
      maxFeePerGas: options.maxFeePerGas ?? 500n * GWEI,
      budget: options.budget ?? DEFAULT_GAS_BUDGET,
    }),
  )
  const settler = makeSettler({ store, log })
  const health = makeHealth({ accounts, ping: store.ping, lowBalance: options.lowBalance ?? 0n, now, log })
  const resend = (account: (typeof accounts)[number]) =>
    account.resend().catch((error: unknown) => {
      log('error', 'resend.failed', { network: account.network, reason: reasonOf(error) })
    })
  const ago = (ms: number) => new Date(now().getTime() - ms)
  const prune = () =>
    store.prune({ reverts: ago(BRAKE_MS), credits: ago(CREDIT_MS) }).catch((error: unknown) => {
      log('warn', 'prune.failed', { reason: reasonOf(error) })
    })
  return {
    app: createApp({ networks, accounts, settler, tokens: options.tokens ?? [], health, log }),
    tend: async () => void (await Promise.all([...accounts.map(resend), health(), prune()])),
    idle: settler.idle,
  }
}
