import { type Address, isAddress } from 'viem'
import type { LaunchPlan } from '../../../contracts/checks/launch-plan.ts'
import { CONTRACT_NAMES, type ContractName, type PresaleAddresses } from '../../../contracts/checks/runtimes.ts'
import { CHAIN_IDS } from '../../shared/chain-reads/client.ts'
import { devFacts } from '../../shared/dev-chain.ts'
import { type Fields, isFields } from '../../shared/shape.ts'
import { networkOf } from '../../shared/wallet/networks.ts'
import { DEV_CHAIN } from '../../shared/wallet/provider.ts'
import { ADDRESS_VARIABLES, OPTIONAL_VARIABLES } from '../variables.ts'

/** Set by the build: the text of contracts/launch/<network>.json, or null when there is no such file. */
declare const __LAUNCH_PLAN__: string | null

export interface DashboardConfig {
  chainId: number
  rpcUrl: string
  addresses: PresaleAddresses
  usdc: Address
  /** Contracts that are not part of the launch; null when this build does not name them. */
  staking: Address | null
  wrapped: Address | null
  splitter: Address | null
  /** The plan of the launch; null when this build has no plan of the network. */
  plan: LaunchPlan | null
}

/** The contracts that the dashboard monitors are not named. */
export class NotConfiguredError extends Error {
  readonly missing: readonly string[]
  constructor(missing: readonly string[]) {
    super(`Not configured: ${missing.join(', ')}`)
    this.name = 'NotConfiguredError'
    this.missing = missing
  }
}

/** The configuration of this build, or of the running local stack. Throws `NotConfiguredError` with every missing name. */
export async function loadConfig(): Promise<DashboardConfig> {
  return DEV_CHAIN ? localConfig() : builtConfig(import.meta.env)
}

function builtConfig(env: Readonly<Record<string, unknown>>): DashboardConfig {
  const name = env['NEXT_PUBLIC_NETWORK_NAME'] || 'ethereum'
  const chainId = CHAIN_IDS[String(name)] ?? 1
  return {
    chainId,
    rpcUrl: networkOf(chainId).rpcUrl ?? '',
    ...addressesOf((contract) => env[ADDRESS_VARIABLES[contract]]),
    staking: addressOrNull(env[OPTIONAL_VARIABLES.staking]),
    wrapped: addressOrNull(env[OPTIONAL_VARIABLES.wrapped]),
    splitter: addressOrNull(env[OPTIONAL_VARIABLES.splitter]),
    plan: planOf(__LAUNCH_PLAN__),
  }
}

async function localConfig(): Promise<DashboardConfig> {
  const { chainId, rpcPath, usdc, contracts, launchPlan } = await devFacts()
  return {
    chainId,
    rpcUrl: new URL(rpcPath, location.href).href,
    ...addressesOf((contract) => (contract === 'usdc' ? usdc : contracts[contract])),
    staking: addressOrNull(contracts['aicStaking']),
    wrapped: addressOrNull(contracts['wrappedAic']),
    splitter: addressOrNull(contracts['splitter']),
    plan: planOf(launchPlan),
  }
}

function addressesOf(namedAs: (name: ContractName | 'usdc') => unknown) {
  const names = [...CONTRACT_NAMES, 'usdc'] as const
  const found = names.map((name) => [name, addressOrNull(namedAs(name))] as const)
  const missing = found.flatMap(([name, address]) => (address === null ? [ADDRESS_VARIABLES[name]] : []))
  if (missing.length > 0) throw new NotConfiguredError(missing)
  const of = (name: ContractName | 'usdc'): Address => found.find(([known]) => known === name)?.[1] ?? '0x'
  return {
    usdc: of('usdc'),
    addresses: {
      ...{ claimModule: of('claimModule'), liquidityVault: of('liquidityVault'), devVault: of('devVault') },
      ...{ teamVault: of('teamVault'), marketingVault: of('marketingVault'), presaleVault: of('presaleVault') },
      ...{ aicToken: of('aicToken'), presale: of('presale') },
    },
  }
}

const addressOrNull = (value: unknown): Address | null =>
  typeof value === 'string' && isAddress(value, { strict: false }) ? value : null

const AMOUNTS = ['amount', 'price', 'cap', 'walletCap', 'softCap', 'minPurchase']

/** A plan from its JSON, whose amounts are decimal strings. The build has checked it. */
export function planOf(json: string | null): LaunchPlan | null {
  if (json === null) return null
  const plan: LaunchPlan & Fields = JSON.parse(json, (key, value: unknown) =>
    AMOUNTS.includes(key) && typeof value === 'string' ? BigInt(value) : value,
  )
  return isFields(plan) ? plan : null
}
