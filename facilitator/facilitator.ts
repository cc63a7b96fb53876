import type { Hono } from 'hono'
import type { Hex } from 'viem'
import type { AllowedNetwork } from './allow-list.ts'
import { createApp } from './app.ts'
import { makeChainAccount } from './chain-account.ts'
import { makeHealth } from './health.ts'
import { type Log, reasonOf } from './log.ts'
import { makeSettler } from './settler.ts'
import { makeMemoryStore, type SettlementStore } from './store.ts'

export interface FacilitatorOptions {
  networks: readonly AllowedNetwork[]
  /** Pays the gas. */
  privateKey: Hex
  /** Bearers that are let in; none means everybody is. */
  tokens?: readonly string[]
  /** Default: in memory. */
  store?: SettlementStore
  /** Default 25 s: below the 30 s after which the worker stops waiting, so that it hears `settlement_pending`. */
  confirmationTimeoutMs?: number
  pollingIntervalMs?: number
  maxGas?: bigint
  /** Wei per gas. */
  maxFeePerGas?: bigint
  /** Wei below which a warning is due. */
  lowBalance?: bigint
  now?(): Date
  log?: Log
}

const GWEI = 1_000_000_000n

export interface Facilitator {
  app: Hono<{ Bindings: object }>
  /** Sends again what was sent and is not mined, and looks at the balances. To be called at the start and regularly. */
  tend(): Promise<void>
  /** Resolves when no settlement is under way, or after `ms`. */
  idle(ms: number): Promise<void>
}

/** The whole program but for its socket, its database's lock and its clock. */
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
    }),
  )
  const settler = makeSettler({ store, log })
  const health = makeHealth({ accounts, ping: store.ping, lowBalance: options.lowBalance ?? 0n, now, log })
  const resend = (account: (typeof accounts)[number]) =>
    account.resend().catch((error: unknown) => {
      log('error', 'resend.failed', { network: account.network, reason: reasonOf(error) })
    })
  return {
    app: createApp({ networks, accounts, settler, tokens: options.tokens ?? [], health, log }),
    tend: async () => void (await Promise.all([...accounts.map(resend), health()])),
    idle: settler.idle,
  }
}
