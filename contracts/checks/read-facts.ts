import {
  type Abi,
  type Address,
  type Client,
  erc20Abi,
  getAddress,
  getContractAddress,
  type Hex,
  hexToString,
  isAddress,
  isAddressEqual,
  keccak256,
  stringToHex,
  type Transport,
  zeroAddress,
} from 'viem'
import { getBlock, getBlockNumber, getChainId, getCode, getContractEvents, readContract } from 'viem/actions'
import { aicTokenAbi } from '../abi/aic-token.ts'
import { claimModuleAbi } from '../abi/claim-module.ts'
import { liquidityVaultAbi } from '../abi/liquidity-vault.ts'
import { presaleAbi } from '../abi/presale.ts'
import { presaleVaultAbi } from '../abi/presale-vault.ts'
import { type LaunchFacts, WITH_ADMIN, WITH_NOTICE } from './launch-checks.ts'
import { newRangeLimit, readRanges } from './log-ranges.ts'
import { ofOtherContract, readSafe } from './read-safe.ts'
import { CONTRACT_NAMES, type PresaleAddresses, VAULTS, type VaultName } from './runtimes.ts'

type ReadClient = Client<Transport>

export interface FactsOptions {
  addresses: PresaleAddresses
  usdc: Address
  /** Looked up on the chain when left out. */
  deployer?: Address
  /** Everyone who was ever granted each vault's role; read from the logs when left out. */
  granted?: Record<VaultName, readonly Address[]>
  /** Whether the source of a contract is published; left out on a chain without explorers. */
  isVerified?(address: Address): Promise<boolean>
}

/** All eight contracts are made by one account, one after the other, the presale last. */
const DEPLOYMENT_BLOCKS = 200n
const MOST_DEPLOYMENT_BLOCKS = 10_000n
/** Reads what the launch checks need. A part that cannot be read is null, and its check is unknown. */
export async function readLaunchFacts(client: ReadClient, options: FactsOptions): Promise<LaunchFacts> {
  const { addresses, isVerified } = options
  const [
    code,
    links,
    routes,
    terms,
    dollar,
    notices,
    vesting,
    minted,
    claims,
    admins,
    operators,
    ofDeployer,
    verified,
  ] = await Promise.all([
    orNull(readAll(CONTRACT_NAMES, async (name) => (await getCode(client, { address: addresses[name] })) ?? '0x')),
    orNull(readLinks(client, options)),
    orNull(readContract(client, { address: addresses.presaleVault, abi: presaleVaultAbi, functionName: 'routes' })),
    orNull(readTerms(client, addresses)),
    orNull(readDollar(client, addresses)),
    orNull(readAll(WITH_NOTICE, (name) => readNotice(client, addresses[name]))),
    orNull(readVesting(client, addresses)),
    orNull(readMinted(client, addresses)),
    orNull(readClaims(client, addresses)),
    orNull(readAll(WITH_ADMIN, (name) => readAdmin(client, addresses[name]))),
    orNull(readAll(VAULTS, (name) => readOperators(client, options, name))),
    orNull(readDeployer(client, options)),
    isVerified === undefined ? null : orNull(readAll(CONTRACT_NAMES, (name) => isVerified(addresses[name]))),
  ])
  return {
    addresses,
    code,
    links,
    routes,
    terms,
    dollar,
    notices,
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
  const record: Partial<Record<Name, Value>> = {}
  const readOne = async (name: Name): Promise<void> => {
    record[name] = await read(name)
  }
  await Promise.all(names.map(readOne))
  if (!hasAll(record, names)) throw new Error('A part was not read.')
  return record
}

function hasAll<Name extends string, Value>(
  record: Partial<Record<Name, Value>>,
  names: readonly Name[],
): record is Record<Name, Value> {
  return names.every((name) => name in record)
}

async function readLinks(client: ReadClient, { addresses, usdc }: FactsOptions): Promise<LaunchFacts['links']> {
  const { presale, presaleVault, claimModule, aicToken, devVault } = addresses
  const read = async (address: Address, abi: Abi, functionName: string, expected: Address) => {
    const found = await readContract(client, { address, abi, functionName })
    if (typeof found !== 'string' || !isAddress(found)) throw new Error(`${functionName} is not an address`)
    return { found, expected }
  }
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
  const [softCap, minPurchase, coolingOff, count] = await Promise.all([
    readContract(client, { ...contract, functionName: 'softCap' }),
    readContract(client, { ...contract, functionName: 'minPurchase' }),
    readContract(client, { ...contract, functionName: 'coolingOff' }),
    readContract(client, { ...contract, functionName: 'phaseCount' }),
  ])
  const ids = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
  const phases = await Promise.all(
    ids.map((id) => readContract(client, { ...contract, functionName: 'phase', args: [id] })),
  )
  return {
    softCap,
    minPurchase,
    coolingOff: Number(coolingOff),
    phases: phases.map(({ start, end, ...rest }) => ({ ...rest, start: Number(start), end: Number(end) })),
  }
}

/** The token of the sale's own contract, not of a configuration. */
async function readDollar(client: ReadClient, { presale }: PresaleAddresses) {
  const [chainId, address] = await Promise.all([
    getChainId(client),
    readContract(client, { address: presale, abi: presaleAbi, functionName: 'usdc' }),
  ])
  const decimals = await readContract(client, { address, abi: erc20Abi, functionName: 'decimals' }).catch(
    ofOtherContract,
  )
  return { chainId, address, decimals }
}

const readNotice = async (client: ReadClient, address: Address): Promise<number> =>
  Number(await readContract(client, { address, abi: claimModuleAbi, functionName: 'notice' }))

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

/**
 * AIC is minted when the token is made, soon before the presale. When what was minted then is the whole supply, nothing was minted
 * later; otherwise all of the history is read.
 */
async function readMinted(client: ReadClient, { aicToken, presale }: PresaleAddresses) {
  const contract = { address: aicToken, abi: aicTokenAbi } as const
  const [supply, deployedAt, latest] = await Promise.all([
    readContract(client, { ...contract, functionName: 'totalSupply' }),
    readContract(client, { address: presale, abi: presaleAbi, functionName: 'deployedAtBlock' }),
    getBlockNumber(client),
  ])
  const query = { ...contract, eventName: 'Transfer', args: { from: zeroAddress }, strict: true } as const
  const read = async (fromBlock: bigint, toBlock: bigint) => {
    const logs = await readRanges({ fromBlock, toBlock }, newRangeLimit(), (range) =>
      getContractEvents(client, { ...query, ...range }),
    )
    return logs.map(({ args }) => ({ holder: args.to, amount: args.value }))
  }
  for (const blocks of [DEPLOYMENT_BLOCKS, MOST_DEPLOYMENT_BLOCKS]) {
    const minted = await read(deployedAt > blocks ? deployedAt - blocks : 0n, deployedAt)
    if (minted.reduce((sum, { amount }) => sum + amount, 0n) === supply) return minted
  }
  return read(deployedAt > MOST_DEPLOYMENT_BLOCKS ? deployedAt - MOST_DEPLOYMENT_BLOCKS : 0n, latest)
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
  const [admin, [pending], delay, [newDelay, changesAt]] = await Promise.all([
    readContract(client, { ...contract, functionName: 'defaultAdmin' }),
    readContract(client, { ...contract, functionName: 'pendingDefaultAdmin' }),
    readContract(client, { ...contract, functionName: 'defaultAdminDelay' }),
    readContract(client, { ...contract, functionName: 'pendingDefaultAdminDelay' }),
  ])
  const safe = await readSafe(client, admin)
  return { admin, pending, delay, nextDelay: changesAt === 0 ? null : newDelay, safe }
}

const roleOf = (name: VaultName): Hex => keccak256(stringToHex(`${name.toUpperCase()}_OPERATOR_ROLE`))

/** Everyone who was ever granted the role and still has it. */
async function readOperators(
  client: ReadClient,
  { addresses, granted }: FactsOptions,
  name: VaultName,
): Promise<Address[]> {
  const contract = { address: addresses[`${name}Vault`], abi: liquidityVaultAbi } as const
  const role = roleOf(name)
  const accounts = granted === undefined ? await readGranted(client, addresses, name) : granted[name]
  const holds = (account: Address) =>
    readContract(client, { ...contract, functionName: 'hasRole', args: [role, account] })
  const held = await Promise.all(accounts.map(holds))
  return accounts.filter((_, index) => held[index])
}

async function readGranted(client: ReadClient, addresses: PresaleAddresses, name: VaultName): Promise<Address[]> {
  const vault = { address: addresses[`${name}Vault`], abi: liquidityVaultAbi } as const
  const [fromBlock, toBlock] = await Promise.all([
    readContract(client, { ...vault, functionName: 'deployedAtBlock' }),
    getBlockNumber(client),
  ])
  const query = { ...vault, eventName: 'RoleGranted', args: { role: roleOf(name) }, strict: true } as const
  const logs = await readRanges({ fromBlock, toBlock }, newRangeLimit(), (range) =>
    getContractEvents(client, { ...query, ...range }),
  )
  return [...new Set(logs.map(({ args }) => getAddress(args.account)))]
}

/** The account whose transaction made the presale; null when a contract made it. */
async function findDeployer(client: ReadClient, { presale }: PresaleAddresses): Promise<Address | null> {
  const blockNumber = await readContract(client, { address: presale, abi: presaleAbi, functionName: 'deployedAtBlock' })
  const { transactions } = await getBlock(client, { blockNumber, includeTransactions: true })
  const made = transactions.find(
    ({ to, from, nonce }) => to === null && isAddressEqual(getContractAddress({ from, nonce: BigInt(nonce) }), presale),
  )
  return made?.from ?? null
}

async function readDeployer(client: ReadClient, options: FactsOptions): Promise<LaunchFacts['deployer']> {
  const { addresses } = options
  const address = options.deployer ?? (await findDeployer(client, addresses))
  if (address === null) return null
  const token = { address: addresses.aicToken, abi: aicTokenAbi } as const
  const [aic, admins, operators] = await Promise.all([
    readContract(client, { ...token, functionName: 'balanceOf', args: [address] }),
    Promise.all(WITH_ADMIN.map(async (name) => ({ name, ...(await readAdmin(client, addresses[name])) }))),
    readAll(VAULTS, (name) => readOperators(client, options, name)),
  ])
  const isDeployer = (account: Address): boolean => account.toLowerCase() === address.toLowerCase()
  const asAdmin = admins.filter(({ admin }) => isDeployer(admin)).map(({ name }) => `admin of ${name}`)
  const asOperator = VAULTS.filter((name) => operators[name].some(isDeployer)).map((name) => `operator of ${name}`)
  return { address, roles: [...asAdmin, ...asOperator], aic }
}
