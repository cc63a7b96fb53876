import { makeReadCache } from '../../lib/read-cache.ts'
import { isContractOnAny } from '../auth/contract-account.ts'
import type { RequestDeps, Session } from '../deps.ts'

const readAmount = makeReadCache<bigint>('staking.read_failed', 30_000)

/**
 * True if the holdings of this address on the first network belong to this session. They do in a session of that network; in one
 * of another chain only if no contract controls the address. Null when the chains did not answer.
 */
async function ownsHoldings(deps: RequestDeps, { address, chainId }: Session): Promise<boolean | null> {
  const home = deps.config.networks[0].chainId
  if (chainId === home) return true
  const contract = await isContractOnAny(deps, [home, chainId], address)
  return contract === null ? null : !contract
}

/** An amount of the first network that counts for this session, in atomic units; null when it could not be read. */
async function readOwn(
  deps: RequestDeps,
  session: Session,
  what: 'held' | 'staked',
  ask: (chainId: number) => Promise<bigint>,
): Promise<bigint | null> {
  const { chainId } = deps.config.networks[0]
  const [atomic, owned] = await Promise.all([
    readAmount(deps, { what, account: session.address, chainId, ask: () => ask(chainId) }),
    ownsHoldings(deps, session),
  ])
  return owned === false ? 0n : owned && atomic
}

/**
 * The wallet's stake in atomic units (10^-18 AIC), kept 30 s. Without a staking contract it is 0. A failed read counts as 0 too
 * and sets `failed`; it refuses no purchase.
 */
export async function readStake(
  deps: RequestDeps,
  session: Session,
): Promise<{ stakedAtomic: bigint; failed: boolean }> {
  const staking = deps.config.aic.stakingAddress
  if (staking === undefined) return { stakedAtomic: 0n, failed: false }
  const atomic = await readOwn(deps, session, 'staked', (chainId) =>
    deps.chain.stakedBalance(chainId, staking, session.address),
  )
  return { stakedAtomic: atomic ?? 0n, failed: atomic === null }
}

/** The AIC in the wallet itself, in atomic units; otherwise as `readStake`. */
export async function readHeld(deps: RequestDeps, session: Session): Promise<{ heldAtomic: bigint; failed: boolean }> {
  const token = deps.config.aic.tokenAddress
  if (token === undefined) return { heldAtomic: 0n, failed: false }
  const atomic = await readOwn(deps, session, 'held', (chainId) =>
    deps.chain.balanceOf(chainId, token, session.address),
  )
  return { heldAtomic: atomic ?? 0n, failed: atomic === null }
}
