import type { Hex } from 'viem'
import { formatEther } from 'viem/utils'
import { type Log, reasonOf } from '../log.ts'
import type { Network } from '../network.ts'

export interface Health {
  /** `low_balance` still settles; `error` does not, or not everywhere. */
  status: 'ok' | 'low_balance' | 'error'
  store: 'ok' | 'error'
  /** Ether left for gas by network, of the key that has least, a decimal string; null where the RPC does not answer. */
  balances: Record<string, string | null>
  /** Gas that reverted transactions cost in the last hour, by network; null where the store does not answer. */
  lostGas: Record<string, string | null>
  /** Each key: whether this process signs with it, and its ether by network. */
  keys: Record<Hex, { held: boolean; balances: Record<string, string | null> }>
}

const CHECK_MS = 3_000
const SHARED_MS = 5_000

export interface HealthOptions {
  networks: readonly Network[]
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

async function check({ networks, ping, lowBalance, log }: HealthOptions): Promise<Health> {
  const failed = (part: string) => (error: unknown) => {
    log('error', 'health.failed', { part, reason: reasonOf(error) })
    return null
  }
  const [store, found] = await Promise.all([
    within(ping().then(() => true)).catch(failed('store')),
    Promise.all(
      networks.map(async (network) => {
        const balanceOf = (address: Hex) => within(network.balanceOf(address)).catch(failed(network.network))
        const [lost, ...balances] = await Promise.all([
          within(network.admission.lostGas()).catch(failed('store')),
          ...network.addresses.map(balanceOf),
        ])
        return { network, lost, balances }
      }),
    ),
  ])
  const low = found.flatMap(({ network, balances }) =>
    network.addresses
      .filter((_address, index) => (balances[index] ?? lowBalance) < lowBalance)
      .map((address) => ({ network: network.network, address })),
  )
  for (const fields of low) log('warn', 'balance.low', fields)
  const isBroken = store === null || found.some(({ balances }) => balances.includes(null))
  const byNetwork = (shown: (of: (typeof found)[number]) => string | null) =>
    Object.fromEntries(found.map((of) => [of.network.network, shown(of)]))
  const keys = (networks[0]?.addresses ?? []).map((address, index) => {
    const held = networks.every((network) => network.isHeld(address))
    return [address, { held, balances: byNetwork(({ balances }) => shown(balances[index], formatEther)) }]
  })
  return {
    status: isBroken ? 'error' : low.length > 0 ? 'low_balance' : 'ok',
    store: store === null ? 'error' : 'ok',
    balances: byNetwork(({ balances }) => shown(least(balances), formatEther)),
    lostGas: byNetwork(({ lost }) => shown(lost, String)),
    keys: Object.fromEntries(keys),
  }
}

/** Null where one of them is not known. */
const least = (balances: readonly (bigint | null)[]): bigint | null =>
  balances.includes(null) ? null : (balances.toSorted((a, b) => ((a ?? 0n) < (b ?? 0n) ? -1 : 1))[0] ?? null)

const shown = (value: bigint | null | undefined, format: (value: bigint) => string): string | null =>
  value === null || value === undefined ? null : format(value)

function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
