import { type Address, bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem'
import { aicTokenRuntime } from '../abi/runtime/aic-token.ts'
import { claimModuleRuntime } from '../abi/runtime/claim-module.ts'
import { devVaultRuntime } from '../abi/runtime/dev-vault.ts'
import { liquidityVaultRuntime } from '../abi/runtime/liquidity-vault.ts'
import { marketingVaultRuntime } from '../abi/runtime/marketing-vault.ts'
import { presaleRuntime } from '../abi/runtime/presale.ts'
import { presaleVaultRuntime } from '../abi/runtime/presale-vault.ts'
import { teamVaultRuntime } from '../abi/runtime/team-vault.ts'

/** What a contract of this build has on chain, apart from the values that its deployment wrote into the code. */
interface Runtime {
  /** Of the code with zeros for these values. */
  hash: Hex
  size: number
  /** Start and length of each value, bytes. */
  immutables: readonly (readonly number[])[]
}

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
export function isOfThisBuild(name: ContractName, code: Hex): boolean {
  const { hash, size, immutables } = RUNTIMES[name]
  const bytes = hexToBytes(code)
  if (bytes.length !== size) return false
  for (const [start = 0, length = 0] of immutables) bytes.fill(0, start, start + length)
  return keccak256(bytesToHex(bytes)) === hash
}

/** The four vaults in the order in which every list of them is written. */
export const VAULTS = ['liquidity', 'dev', 'team', 'marketing'] as const
export type VaultName = (typeof VAULTS)[number]
