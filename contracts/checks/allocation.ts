import type { Address } from 'viem'
import type { LaunchPlan } from './launch-plan.ts'
import { type ContractName, type PresaleAddresses, VAULTS, type VaultName } from './runtimes.ts'

/** A transfer of AIC from the zero address. */
export interface Minted {
  holder: Address
  /** Atomic units. */
  amount: bigint
}

const ATOMIC_PER_AIC = 10n ** 18n

/** The allocation of the specification, in whole AIC, and the contract that holds each part. */
export const SPECIFIED_ALLOCATION = [
  { name: 'Community', holder: 'marketingVault', aic: 350_000_000n },
  { name: 'Team', holder: 'teamVault', aic: 200_000_000n },
  { name: 'Investors', holder: 'claimModule', aic: 150_000_000n },
  { name: 'Treasury', holder: 'devVault', aic: 150_000_000n },
  { name: 'Incentives', holder: 'marketingVault', aic: 100_000_000n },
  { name: 'Liquidity', holder: 'liquidityVault', aic: 50_000_000n },
] as const satisfies readonly { name: string; holder: ContractName; aic: bigint }[]

/** AIC must be minted as the specification and the plan allocate it, and no more. Returns what is wrong, or null. */
export function mintedFault(minted: readonly Minted[], addresses: PresaleAddresses, plan: LaunchPlan): string | null {
  const specified = SPECIFIED_ALLOCATION.map(({ holder, aic }) => [holder, aic * ATOMIC_PER_AIC] as const)
  const planned = [
    ['claimModule', plan.claims.amount] as const,
    ...VAULTS.map((name) => [`${name}Vault`, allocatedTo(plan, name)] as const),
  ]
  return (
    differenceFrom('the specification', specified, minted, addresses) ??
    differenceFrom('the plan', planned, minted, addresses)
  )
}

/** Compares what each holder was minted in all with what a table allocates to it. */
function differenceFrom(
  source: string,
  table: readonly (readonly [ContractName, bigint])[],
  minted: readonly Minted[],
  addresses: PresaleAddresses,
): string | null {
  const left = new Map<string, bigint>()
  const add = (holder: Address, amount: bigint) => {
    const key = holder.toLowerCase()
    left.set(key, (left.get(key) ?? 0n) + amount)
  }
  for (const [name, amount] of table) add(addresses[name], amount)
  for (const { holder, amount } of minted) add(holder, -amount)
  for (const [holder, amount] of left) {
    if (amount > 0n) return `${holder} was minted ${amount} less than ${source} allocates`
    if (amount < 0n) return `${holder} was minted ${-amount} more than ${source} allocates`
  }
  return null
}

/** AIC that a vault is allocated, atomic units. */
const allocatedTo = (plan: LaunchPlan, vault: VaultName): bigint =>
  plan.schedules[vault].reduce((sum, schedule) => sum + schedule.amount, 0n)
