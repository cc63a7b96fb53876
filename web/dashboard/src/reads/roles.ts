import { type Address, getAddress, isAddressEqual, keccak256, stringToHex, zeroAddress } from 'viem'
import { getCode, readContract } from 'viem/actions'
import { liquidityVaultAbi } from '../../../../contracts/abi/liquidity-vault.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { type AdminContract, WITH_ADMIN } from '../../../../contracts/checks/launch-checks.ts'
import { ofOtherContract } from '../../../../contracts/checks/read-safe.ts'
import { VAULTS, type VaultName } from '../../../../contracts/checks/runtimes.ts'
import type { DashboardConfig } from '../config.ts'
import { type ChainEvent, named } from './events.ts'
import type { ReadClient } from './state.ts'

const view = { type: 'function', stateMutability: 'view', inputs: [] } as const
const safeAbi = [
  { ...view, name: 'getThreshold', outputs: [{ type: 'uint256' }] },
  { ...view, name: 'getOwners', outputs: [{ type: 'address[]' }] },
] as const

/** The kind of an account: a Safe, another contract, or a wallet with one key. */
export type AccountKind = { kind: 'safe'; threshold: number; owners: readonly Address[] } | { kind: 'contract' | 'key' }

export interface AdminState {
  contract: AdminContract
  admin: Address
  account: AccountKind
  /** Null when no transfer of the role is pending. */
  pending: { to: Address; from: number } | null
  delaySeconds: number
}

export interface OperatorState {
  vault: VaultName
  /** Accounts that have the role now. */
  operators: { address: Address; account: AccountKind }[]
  /** Accounts that had it. */
  former: Address[]
  payees: Address[]
}

export interface RolesState {
  admins: AdminState[]
  operators: OperatorState[]
}

/** Reads who has which role. For each account that the logs name, the contract is asked again. */
export async function readRoles(
  client: ReadClient,
  config: DashboardConfig,
  events: readonly ChainEvent[],
): Promise<RolesState> {
  const kinds = new Map<Address, Promise<AccountKind>>()
  const kindOf = (address: Address): Promise<AccountKind> => {
    const known = kinds.get(address) ?? readKind(client, address)
    kinds.set(address, known)
    return known
  }
  const [admins, operators] = await Promise.all([
    Promise.all(WITH_ADMIN.map((contract) => readAdmin(client, config, contract, kindOf))),
    Promise.all(VAULTS.map((vault) => readOperators(client, config, vault, events, kindOf))),
  ])
  return { admins, operators }
}

async function readAdmin(
  client: ReadClient,
  { addresses }: DashboardConfig,
  contract: AdminContract,
  kindOf: (address: Address) => Promise<AccountKind>,
): Promise<AdminState> {
  const target = { address: addresses[contract], abi: presaleAbi } as const
  const [admin, [to, from], delay] = await Promise.all([
    readContract(client, { ...target, functionName: 'defaultAdmin' }),
    readContract(client, { ...target, functionName: 'pendingDefaultAdmin' }),
    readContract(client, { ...target, functionName: 'defaultAdminDelay' }),
  ])
  const pending = isAddressEqual(to, zeroAddress) ? null : { to, from }
  return { contract, admin, account: await kindOf(admin), pending, delaySeconds: delay }
}

/** Accounts that the logs name for a vault's operator role. */
function grantedIn(events: readonly ChainEvent[], vault: Address, role: `0x${string}`): Address[] {
  const grants = named(events, 'RoleGranted').filter(
    ({ contract, args }) => isAddressEqual(contract, vault) && args.role === role,
  )
  return [...new Set(grants.map(({ args }) => getAddress(args.account)))]
}

/** Everyone whom the logs name for the operator role of each vault. */
export function grantedByVault(events: readonly ChainEvent[], { addresses }: DashboardConfig) {
  const of = (vault: VaultName): Address[] =>
    grantedIn(events, addresses[`${vault}Vault`], keccak256(stringToHex(`${vault.toUpperCase()}_OPERATOR_ROLE`)))
  return { liquidity: of('liquidity'), dev: of('dev'), team: of('team'), marketing: of('marketing') }
}

async function readOperators(
  client: ReadClient,
  { addresses }: DashboardConfig,
  vault: VaultName,
  events: readonly ChainEvent[],
  kindOf: (address: Address) => Promise<AccountKind>,
): Promise<OperatorState> {
  const address = addresses[`${vault}Vault`]
  const contract = { address, abi: liquidityVaultAbi } as const
  const role = await readContract(client, { ...contract, functionName: 'operatorRole' })
  const known = grantedIn(events, address, role)
  const holds = await Promise.all(
    known.map((account) => readContract(client, { ...contract, functionName: 'hasRole', args: [role, account] })),
  )
  const current = known.filter((_, index) => holds[index])
  const set = named(events, 'PayeeSet').filter((event) => isAddressEqual(event.contract, address))
  const payees = new Map(set.map(({ args }) => [getAddress(args.payee), args.allowed]))
  return {
    vault,
    operators: await Promise.all(current.map(async (one) => ({ address: one, account: await kindOf(one) }))),
    former: known.filter((_, index) => !holds[index]),
    payees: [...payees].flatMap(([payee, allowed]) => (allowed ? [payee] : [])),
  }
}

async function readKind(client: ReadClient, address: Address): Promise<AccountKind> {
  const code = await getCode(client, { address })
  if (code === undefined || code === '0x') return { kind: 'key' }
  const safe = { address, abi: safeAbi } as const
  const threshold = await readContract(client, { ...safe, functionName: 'getThreshold' }).catch(ofOtherContract)
  if (threshold === null) return { kind: 'contract' }
  const owners = await readContract(client, { ...safe, functionName: 'getOwners' })
  return { kind: 'safe', threshold: Number(threshold), owners }
}
