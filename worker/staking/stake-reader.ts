import type { RequestDeps, Session } from '../context.ts'
import { withDeadline } from '../lib/http.ts'
import { describeError, shortAddress } from '../lib/log.ts'

const CACHE_MS = 30_000
/** A read that failed is not tried again for this long, so that one request with many prices waits once. */
const FAILURE_MS = 2_000
const DEADLINE_MS = 2_000
/** Bounds the memory of an isolate that many wallets visit. */
const MAX_ENTRIES = 10_000

interface Entry {
  /** Null: the read failed. */
  atomic: bigint | null
  readAt: number
}

/** Per isolate, by its record of upstreams, which lives as long as it: values only, never a promise of another request's I/O. */
const caches = new WeakMap<object, Map<string, Entry>>()

function cacheOf(deps: RequestDeps): Map<string, Entry> {
  const cache = caches.get(deps.upstreams) ?? new Map<string, Entry>()
  caches.set(deps.upstreams, cache)
  return cache
}

/** A read of the first network, kept 30 s per wallet; null when the chain did not answer within 2 s, which is logged. */
async function read(
  deps: RequestDeps,
  session: Session,
  what: 'held' | 'staked',
  ask: () => Promise<bigint>,
): Promise<bigint | null> {
  const cache = cacheOf(deps)
  const key = `${what}:${session.address.toLowerCase()}`
  const known = cache.get(key)
  const age = known === undefined ? Infinity : deps.now().getTime() - known.readAt
  if (known !== undefined && age < (known.atomic === null ? FAILURE_MS : CACHE_MS)) return known.atomic
  const atomic = await withDeadline(DEADLINE_MS, ask).catch((cause: unknown) => {
    deps.log.error('staking.read_failed', { what, wallet: shortAddress(session.address), cause: describeError(cause) })
    return null
  })
  if (cache.size >= MAX_ENTRIES) cache.clear()
  cache.set(key, { atomic, readAt: deps.now().getTime() })
  return atomic
}

/**
 * The wallet's stake in atomic units (10^-18 AIC). Without a staking contract it is 0; a failed read counts as 0 too, says so
 * in `failed`, and blocks nobody.
 */
export async function readStake(
  deps: RequestDeps,
  session: Session,
): Promise<{ stakedAtomic: bigint; failed: boolean }> {
  const staking = deps.config.aic.stakingAddress
  if (staking === undefined) return { stakedAtomic: 0n, failed: false }
  const { chainId } = deps.config.networks[0]
  const atomic = await read(deps, session, 'staked', () => deps.chain.stakedBalance(chainId, staking, session.address))
  return { stakedAtomic: atomic ?? 0n, failed: atomic === null }
}

/** The AIC the wallet holds itself, in atomic units; as `readStake` otherwise. */
export async function readHeld(deps: RequestDeps, session: Session): Promise<{ heldAtomic: bigint; failed: boolean }> {
  const token = deps.config.aic.tokenAddress
  if (token === undefined) return { heldAtomic: 0n, failed: false }
  const { chainId } = deps.config.networks[0]
  const atomic = await read(deps, session, 'held', () => deps.chain.balanceOf(chainId, token, session.address))
  return { heldAtomic: atomic ?? 0n, failed: atomic === null }
}
