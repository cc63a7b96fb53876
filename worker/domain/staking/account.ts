import type { Address } from 'viem'
import { readSpent } from '../../../db/queries/users.ts'
import { AIC_DECIMALS, formatAmount, USDC_DECIMALS } from '../../../protocol/money.ts'
import { makeReadCache } from '../../lib/read-cache.ts'
import type { RequestDeps, Session } from '../deps.ts'
import { sumByAsset } from '../pricing/assets.ts'
import { discountedRate, discountFor } from '../pricing/discount.ts'
import { readHeld, readStake } from './stake-reader.ts'
import { tierOf } from './tier.ts'

const readBalance = makeReadCache<bigint>('account.balance_unreadable', 2_000)

/** A balance as a decimal string, kept 2 s, about a block of the shortest chain; null, here and below, when the chain did not answer, which is not the same as 0. */
async function balance(
  deps: RequestDeps,
  chainId: number,
  token: Address | undefined,
  account: Address,
  decimals: number,
): Promise<string | null> {
  if (token === undefined) return formatAmount(0n, decimals)
  const ask = (): Promise<bigint> => deps.chain.balanceOf(chainId, token, account)
  const atomic = await readBalance(deps, { what: token, account, chainId, ask })
  return atomic === null ? null : formatAmount(atomic, decimals)
}

/**
 * The caller's account: tier and discount by holdings on the first network, USDC of the session's chain, and sums
 * of settled payments. Throws `DatabaseUnavailable`.
 */
export async function readAccount(deps: RequestDeps, session: Session) {
  const { config } = deps
  const { address, chainId } = session
  const network = config.networks.find((candidate) => candidate.chainId === chainId)
  const [held, staked, spent, usdc, aic] = await Promise.all([
    readHeld(deps, session),
    readStake(deps, session),
    readSpent(deps.database, address.toLowerCase(), chainId),
    balance(deps, chainId, network?.usdc.address, address, USDC_DECIMALS),
    balance(deps, config.networks[0].chainId, config.aic.paymentTokenAddress, address, AIC_DECIMALS),
  ])
  const { discountPct, discountBps } = discountFor(staked.stakedAtomic)
  return {
    address,
    chainId,
    stakedAic: staked.failed ? null : formatAmount(staked.stakedAtomic, AIC_DECIMALS),
    heldAic: held.failed ? null : formatAmount(held.heldAtomic, AIC_DECIMALS),
    tier: tierOf({ ...held, ...staked }),
    discountPct,
    effectiveRateUsdc: discountedRate(config.ratePerSec, discountBps),
    balances: { usdc, aic },
    spent: sumByAsset(config, spent),
  }
}
