import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, isAddress } from 'viem'
import { aicStakingAbi } from '../../../../contracts/abi/aic-staking.ts'
import { devFacts } from '../../../shared/dev-chain.ts'
import { AIC_DECIMALS, readAmount, writeAmount } from '../../../shared/money.ts'
import { callContract } from '../../../shared/wallet/chain.ts'
import { DEV_CHAIN, type Provider } from '../../../shared/wallet/provider.ts'

export interface AicContracts {
  staking: Hex
  token: Hex
  /** The wrapped token, which pays for runs. Null if this deployment takes no AIC. */
  wrapped: Hex | null
}

/** The most portions of one account in the staking contract at once. */
const MAX_PORTIONS = 8

/** An amount that was unstaked, and when it can be withdrawn. */
export interface AicPortion {
  amount: bigint
  readyAt: Date
}

/** A wallet's AIC in atomic units (18 decimals), read from the chain. */
export interface AicFigures {
  plain: bigint
  wrapped: bigint
  staked: bigint
  /** Unstaked and not ready yet, the first to be ready first. */
  waiting: AicPortion[]
  /** True if nothing can be unstaked before a ready portion is withdrawn. */
  isFull: boolean
  withdrawable: bigint
}

/** The contracts of this deployment. Null if none are configured; AIC is then not shown. */
export async function aicContracts(): Promise<AicContracts | null> {
  const env = import.meta.env
  const named = DEV_CHAIN
    ? await devFacts().then(({ contracts }) => [
        contracts['aicStaking'],
        contracts['aicToken'],
        contracts['wrappedAic'],
      ])
    : [
        env['NEXT_PUBLIC_AIC_STAKING_ADDRESS'],
        env['NEXT_PUBLIC_AIC_TOKEN_ADDRESS'],
        env['NEXT_PUBLIC_AIC_PAYMENT_TOKEN_ADDRESS'],
      ]
  const [staking, token, wrapped] = named.map((value) => (typeof value === 'string' && isAddress(value) ? value : null))
  return staking && token ? { staking, token, wrapped: wrapped ?? null } : null
}

/** Reads a wallet's AIC through its own node, which must be on the contracts' chain. */
export async function readFigures(provider: Provider, contracts: AicContracts, owner: Hex): Promise<AicFigures> {
  const read = (to: Hex, data: Hex): Promise<Hex> => callContract(provider, { to, data })
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const ask = (functionName: 'stakedBalance' | 'portions' | 'withdrawable'): Promise<Hex> =>
    read(contracts.staking, encodeFunctionData({ abi: aicStakingAbi, functionName, args: [owner] }))
  const [plain, wrapped, staked, unstaked, free] = await Promise.all([
    read(contracts.token, balanceOf),
    contracts.wrapped === null ? ('0x0' as const) : read(contracts.wrapped, balanceOf),
    ask('stakedBalance'),
    ask('portions'),
    ask('withdrawable'),
  ])
  const portions = decodeFunctionResult({ abi: aicStakingAbi, functionName: 'portions', data: unstaked })
  return {
    plain: BigInt(plain),
    wrapped: BigInt(wrapped),
    staked: BigInt(staked),
    waiting: waitingOf(portions, BigInt(free)),
    isFull: portions.length >= MAX_PORTIONS,
    withdrawable: BigInt(free),
  }
}

/** The portions after those that are ready. The contract returns the oldest first, and its clock decides what is ready. */
function waitingOf(portions: readonly { amount: bigint; releaseTime: number }[], ready: bigint): AicPortion[] {
  let left = ready
  return portions.flatMap(({ amount, releaseTime }) => {
    left -= amount
    return left >= 0n ? [] : [{ amount, readyAt: new Date(releaseTime * 1000) }]
  })
}

/** An amount of AIC above zero as a person writes it, in atomic units, or null. */
export const readAicAmount = (written: string): bigint | null => readAmount(written, AIC_DECIMALS)

/** An amount as a person would write it in the field: every digit, no grouping. */
export const writeAicAmount = (atomic: bigint): string => writeAmount(atomic, AIC_DECIMALS)
