import { formatEther } from 'viem/utils'
import type { ChainAccount } from './chain-account.ts'
import { type Log, reasonOf } from './log.ts'

export interface Health {
  /** `low_balance` still settles; `error` does not, or not everywhere. */
  status: 'ok' | 'low_balance' | 'error'
  store: 'ok' | 'error'
  /** Ether left for gas by network, a decimal string; null where the RPC does not answer. */
  balances: Record<string, string | null>
}

const CHECK_MS = 3_000
const SHARED_MS = 5_000

export interface HealthOptions {
  accounts: readonly ChainAccount[]
  /** Resolves when the store answers. */
  ping(): Promise<void>
  /** Below this many wei a warning is due. */
  lowBalance: bigint
  now(): Date
  log: Log
}

/** Whether store and chains answer and how much gas money is left. Shared for 5 s, so that a flood of calls makes one check. */
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
  const [store, ...balances] = await Promise.all([
    within(ping().then(() => true)).catch(failed('store')),
    ...accounts.map((account) => within(account.balance()).catch(failed(account.network))),
  ])
  const low = accounts.filter((_account, index) => (balances[index] ?? lowBalance) < lowBalance)
  for (const { network, address } of low) log('warn', 'balance.low', { network, address })
  const isBroken = store === null || balances.includes(null)
  return {
    status: isBroken ? 'error' : low.length > 0 ? 'low_balance' : 'ok',
    store: store === null ? 'error' : 'ok',
    balances: Object.fromEntries(accounts.map(({ network }, index) => [network, shown(balances[index])])),
  }
}

const shown = (balance: bigint | null | undefined): string | null =>
  balance === null || balance === undefined ? null : formatEther(balance)

function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
