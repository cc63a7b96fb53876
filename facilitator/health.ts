import { formatEther } from 'viem/utils'
import type { ChainAccount } from './chain-account.ts'
import { type Log, reasonOf } from './log.ts'

export interface Health {
  /** `low_balance` still settles; `error` does not, or not everywhere. */
  status: 'ok' | 'low_balance' | 'error'
  store: 'ok' | 'error'
  /** Ether left for gas by network, a decimal string; null where the RPC does not answer. */
  balances: Record<string, string | null>
  /** Gas that reverted transactions cost in the last hour, by network; null where the store does not answer. */
  lostGas: Record<string, string | null>
}

const CHECK_MS = 3_000
const SHARED_MS = 5_000

export interface HealthOptions {
  accounts: readonly ChainAccount[]
  /** Resolves when the store answers. */
  ping(): Promise<void>
  /** A balance below this many wei is logged as a warning. */
  lowBalance: bigint
  now(): Date
  log: Log
}

/** Checks store, chains, balances and lost gas. Shared for 5 s, so that many calls make one check. */
export function makeHealth(options: HealthOptions): () => Promise<Health> {
  let shared: { at: number; found: Promise<Health> } | undefined
  return () => {
    const at = options.now().getTime()
    if (shared === undefined || at - shared.at >= SHARED_MS) shared = { at, found: check(options) }
    return shared.found
  }
}

async function check({ accounts, ping, lowBalance, log }: HealthOptions): Promise<Health> {
  const failed = (part: string) => (error: unknown) => {
    log('error', 'health.failed', { part, reason: reasonOf(error) })
    return null
  }
  const [store, balances, lost] = await Promise.all([
    within(ping().then(() => true)).catch(failed('store')),
    Promise.all(accounts.map((account) => within(account.balance()).catch(failed(account.network)))),
    Promise.all(accounts.map((account) => within(account.lostGas()).catch(failed('store')))),
  ])
  const low = accounts.filter((_account, index) => (balances[index] ?? lowBalance) < lowBalance)
  for (const { network, address } of low) log('warn', 'balance.low', { network, address })
  const isBroken = store === null || balances.includes(null)
  const byNetwork = (shown: (index: number) => string | null) =>
    Object.fromEntries(accounts.map(({ network }, index) => [network, shown(index)]))
  return {
    status: isBroken ? 'error' : low.length > 0 ? 'low_balance' : 'ok',
    store: store === null ? 'error' : 'ok',
    balances: byNetwork((index) => shown(balances[index], formatEther)),
    lostGas: byNetwork((index) => shown(lost[index], String)),
  }
}

const shown = (value: bigint | null | undefined, format: (value: bigint) => string): string | null =>
  value === null || value === undefined ? null : format(value)

function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
