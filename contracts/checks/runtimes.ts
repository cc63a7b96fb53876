import type { Address, Hex } from 'viem'
import { aicTokenRuntime } from '../abi/runtime/aic-token.ts'
import { claimModuleRuntime } from '../abi/runtime/claim-module.ts'
import { devVaultRuntime } from '../abi/runtime/dev-vault.ts'
import { liquidityVaultRuntime } from '../abi/runtime/liquidity-vault.ts'
import { marketingVaultRuntime } from '../abi/runtime/marketing-vault.ts'
import { presaleRuntime } from '../abi/runtime/presale.ts'
import { presaleVaultRuntime } from '../abi/runtime/presale-vault.ts'
import { teamVaultRuntime } from '../abi/runtime/team-vault.ts'
import { isCodeOf, type Runtime } from './runtime.ts'

/** The eight contracts, named as the dashboard's variables name them. */
export const CONTRACT_NAMES = [
  'claimModule',
  'liquidityVault',
  'devVault',
  'teamVault',
  'marketingVault',
  'presaleVault',
  'aicToken',
  'presale',
] as const
export type ContractName = (typeof CONTRACT_NAMES)[number]
export type PresaleAddresses = Record<ContractName, Address>

const RUNTIMES: Record<ContractName, Runtime> = {
  claimModule: claimModuleRuntime,
  liquidityVault: liquidityVaultRuntime,
  devVault: devVaultRuntime,
  teamVault: teamVaultRuntime,
  marketingVault: marketingVaultRuntime,
  presaleVault: presaleVaultRuntime,
  aicToken: aicTokenRuntime,
  presale: presaleRuntime,
}

/** Whether code from a chain is that of this build. */
export const isOfThisBuild = (name: ContractName, code: Hex): boolean => isCodeOf(RUNTIMES[name], code)

/** The four vaults in the order in which every list of them is written. */
export const VAULTS = ['liquidity', 'dev', 'team', 'marketing'] as const
export type VaultName = (typeof VAULTS)[number]
