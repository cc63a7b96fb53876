import {
  type Abi,
  type Address,
  type Client,
  getAddress,
  type Hex,
  hexToString,
  keccak256,
  stringToHex,
  type Transport,
  zeroAddress,
} from 'viem'
import { getBlockNumber, getCode, getContractEvents, readContract } from 'viem/actions'
import * as z from 'zod'
import { aicTokenAbi } from '../../contracts/abi/aic-token.ts'
import { claimModuleAbi } from '../../contracts/abi/claim-module.ts'
import { liquidityVaultAbi } from '../../contracts/abi/liquidity-vault.ts'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { presaleVaultAbi } from '../../contracts/abi/presale-vault.ts'
import { type LaunchFacts, WITH_ADMIN } from '../../contracts/checks/launch-checks.ts'
import { CONTRACT_NAMES, type PresaleAddresses } from '../../contracts/checks/runtimes.ts'
import { VAULTS, type VaultName } from '../../contracts/script/launch-plan.ts'

type ReadClient = Client<Transport>

export interface FactsOptions {
  addresses: PresaleAddresses
  usdc: Address
  deployer?: Address
  /** Whether the source of a contract is published; left out on a chain without explorers. */
  isVerified?(address: Address): Promise<boolean>
}

const BLOCKS_PER_CALL = 10_000n
const safeAbi = [
  { type: 'function', name: 'getThreshold', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
] as const

/** Reads what the launch checks need. A part that cannot be read is null, and its check is unknown. */
export async function readLaunchFacts(client: ReadClient, options: FactsOptions): Promise<LaunchFacts> {
  const { addresses, deployer, isVerified } = options
  const [code, links, routes, terms, vesting, minted, claims, admins, operators, ofDeployer, verified] =
    await Promise.all([
      orNull(readAll(CONTRACT_NAMES, async (name) => (await getCode(client, { address: addresses[name] })) ?? '0x')),
      orNull(readLinks(client, options)),
      orNull(readContract(client, { address: addresses.presaleVault, abi: presaleVaultAbi, functionName: 'routes' })),
      orNull(readTerms(client, addresses)),
      orNull(readVesting(client, addresses)),
      orNull(readMinted(client, addresses)),
      orNull(readClaims(client, addresses)),
      orNull(readAll(WITH_ADMIN, (name) => readAdmin(client, addresses[name]))),
      orNull(readAll(VAULTS, (name) => readOperators(client, addresses, name))),
      deployer === undefined ? null : orNull(readDeployer(client, addresses, deployer)),
      isVerified === undefined ? null : orNull(readAll(CONTRACT_NAMES, (name) => isVerified(addresses[name]))),
    ])
  return {
    addresses,
    code,
    links,
    routes,
    terms,
    vesting,
    minted,
    claims,
    admins,
    operators,
    deployer: ofDeployer,
    verified,
  }
}

const orNull = <Value>(read: Promise<Value>): Promise<Value | null> => read.catch(() => null)

async function readAll<Name extends string, Value>(names: readonly Name[], read: (name: Name) => Promise<Value>) {
  const entries = await Promise.all(names.map(async (name) => [name, await read(name)] as const))
  return z.custom<Record<Name, Value>>().parse(Object.fromEntries(entries))
}

async function readLinks(client: ReadClient, { addresses, usdc }: FactsOptions): Promise<LaunchFacts['links']> {
  const { presale, presaleVault, claimModule, aicToken, devVault } = addresses
  const read = async (address: Address, abi: Abi, functionName: string, expected: Address) => ({
    found: z
      .custom<Address>((value) => typeof value === 'string')
      .parse(await readContract(client, { address, abi, functionName })),
    expected,
  })
  const links: Record<string, ReturnType<typeof read>> = {
    'presale.vault': read(presale, presaleAbi, 'vault', presaleVault),
    'presale.claimModule': read(presale, presaleAbi, 'claimModule', claimModule),
    'presale.usdc': read(presale, presaleAbi, 'usdc', usdc),
    'presaleVault.presale': read(presaleVault, presaleVaultAbi, 'presale', presale),
    'presaleVault.usdc': read(presaleVault, presaleVaultAbi, 'usdc', usdc),
    'claimModule.presale': read(claimModule, claimModuleAbi, 'presale', presale),
    'claimModule.token': read(claimModule, claimModuleAbi, 'token', aicToken),
    'claimModule.unsoldTo': read(claimModule, claimModuleAbi, 'unsoldTo', devVault),
  }
  for (const name of VAULTS) {
    const vault = addresses[`${name}Vault`]
    links[`${name}Vault.aic`] = read(vault, liquidityVaultAbi, 'aic', aicToken)
    links[`${name}Vault.claimModule`] = read(vault, liquidityVaultAbi, 'claimModule', claimModule)
  }
  const found = await Promise.all(Object.entries(links).map(async ([name, link]) => [name, await link] as const))
  return Object.fromEntries(found)
}

async function readTerms(client: ReadClient, { presale: address }: PresaleAddresses) {
  const contract = { address, abi: presaleAbi } as const
  const [softCap, minPurchase, count] = await Promise.all([
    readContract(client, { ...contract, functionName: 'softCap' }),
    readContract(client, { ...contract, functionName: 'minPurchase' }),
    readContract(client, { ...contract, functionName: 'phaseCount' }),
  ])
  const ids = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
  const phases = await Promise.all(
    ids.map((id) => readContract(client, { ...contract, functionName: 'phase', args: [id] })),
  )
  return {
    softCap,
    minPurchase,
    phases: phases.map(({ start, end, ...rest }) => ({ ...rest, start: Number(start), end: Number(end) })),
  }
}

async function readVesting(client: ReadClient, addresses: PresaleAddresses) {
  const claimModule = { address: addresses.claimModule, abi: claimModuleAbi } as const
  const [tgeBps, cliff, duration, vaults] = await Promise.all([
    readContract(client, { ...claimModule, functionName: 'tgeBps' }),
    readContract(client, { ...claimModule, functionName: 'cliff' }),
    readContract(client, { ...claimModule, functionName: 'duration' }),
    readAll(VAULTS, (name) => readSchedules(client, addresses[`${name}Vault`])),
  ])
  return { claims: { tgeBps: Number(tgeBps), cliff: Number(cliff), duration: Number(duration) }, vaults }
}

async function readSchedules(client: ReadClient, address: Address) {
  const schedules = await readContract(client, { address, abi: liquidityVaultAbi, functionName: 'schedules' })
  return schedules.map(({ name, ...rest }) => ({ ...rest, name: hexToString(name, { size: 32 }) }))
}

async function readMinted(client: ReadClient, { aicToken, presale }: PresaleAddresses) {
  const contract = { address: aicToken, abi: aicTokenAbi, eventName: 'Transfer', args: { from: zeroAddress } } as const
  const logs = await readLogs(client, presale, (range) =>
    getContractEvents(client, { ...contract, strict: true, ...range }),
  )
  return logs.map(({ args }) => ({ holder: args.to, amount: args.value }))
}

/** Reads logs in ranges that public RPCs allow. All eight contracts were made by one account, the presale last. */
async function readLogs<Log>(
  client: ReadClient,
  presale: Address,
  read: (range: { fromBlock: bigint; toBlock: bigint }) => Promise<Log[]>,
): Promise<Log[]> {
  const [deployedAt, latest] = await Promise.all([
    readContract(client, { address: presale, abi: presaleAbi, functionName: 'deployedAtBlock' }),
    getBlockNumber(client),
  ])
  const first = deployedAt > BLOCKS_PER_CALL ? deployedAt - BLOCKS_PER_CALL : 0n
  const logs: Log[] = []
  for (let fromBlock = first; fromBlock <= latest; fromBlock += BLOCKS_PER_CALL) {
    const last = fromBlock + BLOCKS_PER_CALL - 1n
    logs.push(...(await read({ fromBlock, toBlock: last < latest ? last : latest })))
  }
  return logs
}

async function readClaims(client: ReadClient, { claimModule, aicToken, presale }: PresaleAddresses) {
  const [held, claimed, cancelled, sold] = await Promise.all([
    readContract(client, { address: aicToken, abi: aicTokenAbi, functionName: 'balanceOf', args: [claimModule] }),
    readContract(client, { address: claimModule, abi: claimModuleAbi, functionName: 'totalClaimed' }),
    readContract(client, { address: presale, abi: presaleAbi, functionName: 'cancelled' }),
    readContract(client, { address: presale, abi: presaleAbi, functionName: 'totalSold' }),
  ])
  return { held, claimed, owed: cancelled ? 0n : sold }
}

async function readAdmin(client: ReadClient, address: Address) {
  const contract = { address, abi: presaleAbi } as const
  const [admin, [pending]] = await Promise.all([
    readContract(client, { ...contract, functionName: 'defaultAdmin' }),
    readContract(client, { ...contract, functionName: 'pendingDefaultAdmin' }),
  ])
  const code = await getCode(client, { address: admin })
  if (code === undefined || code === '0x') return { admin, pending, threshold: null }
  const threshold = readContract(client, { address: admin, abi: safeAbi, functionName: 'getThreshold' })
  return { admin, pending, threshold: await threshold.catch(() => null) }
}

const roleOf = (name: VaultName): Hex => keccak256(stringToHex(`${name.toUpperCase()}_OPERATOR_ROLE`))

/** Everyone who was ever granted the role and still has it. */
async function readOperators(client: ReadClient, addresses: PresaleAddresses, name: VaultName): Promise<Address[]> {
  const contract = { address: addresses[`${name}Vault`], abi: liquidityVaultAbi } as const
  const role = roleOf(name)
  const query = { ...contract, eventName: 'RoleGranted', args: { role } } as const
  const logs = await readLogs(client, addresses.presale, (range) =>
    getContractEvents(client, { ...query, strict: true, ...range }),
  )
  const granted = [...new Set(logs.map(({ args }) => getAddress(args.account)))]
  const holds = (account: Address) =>
    readContract(client, { ...contract, functionName: 'hasRole', args: [role, account] })
  const held = await Promise.all(granted.map(holds))
  return granted.filter((_, index) => held[index])
}

async function readDeployer(client: ReadClient, addresses: PresaleAddresses, address: Address) {
  const balance = readContract(client, {
    ...{ address: addresses.aicToken, abi: aicTokenAbi, functionName: 'balanceOf', args: [address] },
  })
  const admins = await Promise.all(
    WITH_ADMIN.map(async (name) => ({ name, ...(await readAdmin(client, addresses[name])) })),
  )
  const operators = await readAll(VAULTS, (name) => readOperators(client, addresses, name))
  const isDeployer = (account: Address): boolean => account.toLowerCase() === address.toLowerCase()
  const asAdmin = admins.filter(({ admin }) => isDeployer(admin)).map(({ name }) => `admin of ${name}`)
  const asOperator = VAULTS.filter((name) => operators[name].some(isDeployer)).map((name) => `operator of ${name}`)
  return { address, roles: [...asAdmin, ...asOperator], aic: await balance }
}
