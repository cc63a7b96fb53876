import { type Abi, type Address, encodeDeployData, getContractAddress, type Hex, stringToHex } from 'viem'
import { getTransactionCount, sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { aicTokenAbi } from '../abi/aic-token.ts'
import { aicTokenBytecode } from '../abi/bytecode/aic-token.ts'
import { claimModuleBytecode } from '../abi/bytecode/claim-module.ts'
import { devVaultBytecode } from '../abi/bytecode/dev-vault.ts'
import { liquidityVaultBytecode } from '../abi/bytecode/liquidity-vault.ts'
import { marketingVaultBytecode } from '../abi/bytecode/marketing-vault.ts'
import { presaleBytecode } from '../abi/bytecode/presale.ts'
import { presaleVaultBytecode } from '../abi/bytecode/presale-vault.ts'
import { teamVaultBytecode } from '../abi/bytecode/team-vault.ts'
import { claimModuleAbi } from '../abi/claim-module.ts'
import { devVaultAbi } from '../abi/dev-vault.ts'
import { liquidityVaultAbi } from '../abi/liquidity-vault.ts'
import { marketingVaultAbi } from '../abi/marketing-vault.ts'
import { presaleAbi } from '../abi/presale.ts'
import { presaleVaultAbi } from '../abi/presale-vault.ts'
import { teamVaultAbi } from '../abi/team-vault.ts'
import type { LaunchPlan } from '../checks/launch-plan.ts'
import { type PresaleAddresses, VAULTS, type VaultName } from '../checks/runtimes.ts'
import type { DeployClient } from './deploy.ts'

/** The addresses that eight deployments of `from` have when the first one has this nonce. */
export function presaleAddressesOf(from: Address, firstNonce: number): PresaleAddresses {
  const at = (index: number) => getContractAddress({ from, nonce: BigInt(firstNonce + index) })
  return {
    ...{ claimModule: at(0), liquidityVault: at(1), devVault: at(2), teamVault: at(3) },
    ...{ marketingVault: at(4), presaleVault: at(5), aicToken: at(6), presale: at(7) },
  }
}

const VAULT_CODE: Record<VaultName, { abi: Abi; bytecode: Hex }> = {
  liquidity: { abi: liquidityVaultAbi, bytecode: liquidityVaultBytecode },
  dev: { abi: devVaultAbi, bytecode: devVaultBytecode },
  team: { abi: teamVaultAbi, bytecode: teamVaultBytecode },
  marketing: { abi: marketingVaultAbi, bytecode: marketingVaultBytecode },
}

export const vaultOf = (addresses: PresaleAddresses, name: VaultName): Address => addresses[`${name}Vault`]

/**
 * Deploys the eight contracts of a plan from the committed bytecode. The client's account must send nothing else meanwhile. Returns
 * their addresses once all are mined; throws when one of them reverts.
 */
export async function deployPresale(client: DeployClient, plan: LaunchPlan): Promise<PresaleAddresses> {
  const first = await getTransactionCount(client, { address: client.account.address })
  const addresses = presaleAddressesOf(client.account.address, first)
  const hashes: Hex[] = []
  for (const [index, data] of creationCodes(plan, addresses).entries()) {
    hashes.push(await sendTransaction(client, { data, nonce: first + index, gas: 8_000_000n }))
  }
  for (const hash of hashes) {
    const { status } = await waitForTransactionReceipt(client, { hash })
    if (status !== 'success') throw new Error(`Deployment ${hash} reverted.`)
  }
  return addresses
}

/** What the eight transactions contain, in order. */
export function creationCodes(plan: LaunchPlan, addresses: PresaleAddresses): Hex[] {
  const { admin, adminDelay, coolingOff, notice, usdc } = plan
  const { aicToken: aic, presale, claimModule, devVault: unsoldTo, presaleVault: vault } = addresses
  const { amount: claimAmount, ...claims } = plan.claims
  const encode = (abi: Abi, bytecode: Hex, ...args: unknown[]) => encodeDeployData({ abi, bytecode, args })
  const vaults = VAULTS.map((name) => {
    const setup = { admin, adminDelay, operator: plan.operators[name], aic, claimModule, notice }
    const schedules = plan.schedules[name].map((some) => ({ ...some, name: stringToHex(some.name, { size: 32 }) }))
    const { abi, bytecode } = VAULT_CODE[name]
    return encode(abi, bytecode, setup, schedules)
  })
  const routes = VAULTS.map((name) => ({ vault: vaultOf(addresses, name), bps: plan.routes[name] }))
  const ofVaults = VAULTS.flatMap((name) =>
    plan.schedules[name].map(({ amount }) => ({ holder: vaultOf(addresses, name), amount })),
  )
  const allocations = [{ holder: claimModule, amount: claimAmount }, ...ofVaults]
  const { softCap, minPurchase } = plan
  const sale = { admin, adminDelay, usdc, vault, claimModule, softCap, minPurchase, coolingOff }
  const phases = plan.phases.map(({ start, end, ...rest }) => ({ ...rest, start: BigInt(start), end: BigInt(end) }))
  return [
    encode(claimModuleAbi, claimModuleBytecode, {
      admin,
      adminDelay,
      token: aic,
      presale,
      unsoldTo,
      ...claims,
      notice,
    }),
    ...vaults,
    encode(presaleVaultAbi, presaleVaultBytecode, usdc, presale, routes),
    encode(aicTokenAbi, aicTokenBytecode, allocations),
    encode(presaleAbi, presaleBytecode, sale, phases),
  ]
}
