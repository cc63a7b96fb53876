import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, BaseError, createClient, type Hex, http } from 'viem'
import { getChainId, getCode } from 'viem/actions'
import * as z from 'zod'
import { address } from '../checks/launch-plan.ts'
import { type AddressFile, readAddressFile } from './recorded.ts'

const ROOT = join(import.meta.dirname, '..')
const USAGE = 'npm run contracts -- record Deploy|Launch RPC_URL [--force]'

/** Names in `addresses.json`, by script and contract. */
const NAMES: Record<string, Record<string, string>> = {
  Deploy: { AicToken: 'token', WrappedAic: 'wrapped', AicStaking: 'staking', PaymentSplitter: 'splitter' },
  Launch: {
    ...{ ClaimModule: 'claimModule', LiquidityVault: 'liquidityVault', DevVault: 'devVault', TeamVault: 'teamVault' },
    ...{ MarketingVault: 'marketingVault', PresaleVault: 'presaleVault', AicToken: 'aicToken', Presale: 'presale' },
  },
}
/** A deployment can use an AIC that exists already. */
const OPTIONAL = ['token']

const broadcastSchema = z.object({
  transactions: z.array(
    z.object({ hash: z.string().nullable(), transactionType: z.string(), contractName: z.string().nullable() }),
  ),
  receipts: z.array(
    z.object({
      status: z.string(),
      transactionHash: z.templateLiteral(['0x', z.string()]),
      contractAddress: address.nullable(),
      from: address,
    }),
  ),
})

export interface MadeContract {
  contract: string
  address: Address
  transaction: Hex
  deployer: Address
}

export interface RecordOptions {
  script: string
  rpcUrl: string
  /** Forge's folder of sent transactions. */
  broadcastDir: string
  addressesFile: string
  /** Replaces contracts that are recorded already. */
  force: boolean
}

/**
 * Writes where contracts are: only those whose receipts say that they were made, and that have code now. Returns what was written.
 * Throws, and writes nothing, when one of them is missing, or recorded already without `force`.
 */
export async function recordDeployment(options: RecordOptions): Promise<Record<string, Address>> {
  const { script, rpcUrl, broadcastDir, addressesFile, force } = options
  const names = NAMES[script]
  if (names === undefined) throw new Error(USAGE)
  const client = createClient({ transport: http(rpcUrl) })
  const id = await getChainId(client)
  const made = namesOf(await readBroadcast(broadcastDir, script, id), names)
  for (const name of Object.values(names)) {
    const found = made[name]
    if (found === undefined && OPTIONAL.includes(name)) continue
    if (found === undefined) throw new Error(`No receipt says that ${name} was made. Nothing was recorded.`)
    const code = (await getCode(client, { address: found })) ?? '0x'
    if (code === '0x') throw new Error(`${name} at ${found} has no code. Nothing was recorded.`)
  }
  const chainId = String(id)
  const file = await readAddressFile(addressesFile)
  checkNew(file[chainId] ?? {}, made, force)
  file[chainId] = { ...file[chainId], ...made }
  await writeFile(addressesFile, `${JSON.stringify(file, null, 2)}\n`)
  return made
}

/** What a deployment made, in the order in which it was sent. Throws when a contract's deployment reverted. */
export async function readBroadcast(broadcastDir: string, script: string, chainId: number): Promise<MadeContract[]> {
  const path = join(broadcastDir, `${script}.s.sol`, String(chainId), 'run-latest.json')
  const { transactions, receipts } = broadcastSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  return receipts.flatMap(({ status, transactionHash, contractAddress, from }) => {
    const sent = transactions.find(({ hash }) => hash === transactionHash)
    const contract = sent?.contractName ?? null
    if (sent?.transactionType !== 'CREATE' || contract === null || contractAddress === null) return []
    if (status !== '0x1') throw new Error(`The deployment of ${contract} reverted.`)
    return [{ contract, address: contractAddress, transaction: transactionHash, deployer: from }]
  })
}

/** Addresses by their name in `addresses.json`. */
function namesOf(contracts: readonly MadeContract[], names: Record<string, string>): Record<string, Address> {
  const made: Record<string, Address> = {}
  for (const { contract, address: at, deployer } of contracts) {
    const name = names[contract]
    if (name !== undefined) made[name] = at
    if (name === 'presale') made['deployer'] = deployer
  }
  return made
}

function checkNew(known: AddressFile[string], made: Record<string, Address>, force: boolean): void {
  const other = Object.keys(made).find((name) => known[name] !== undefined && known[name] !== made[name])
  if (other !== undefined && !force) {
    throw new Error(`addresses.json names another ${other} already. Nothing was recorded; --force replaces it.`)
  }
}

async function main([script = '', rpcUrl = '', ...flags]: readonly string[]): Promise<void> {
  if (rpcUrl === '' || flags.some((flag) => flag !== '--force')) throw new Error(USAGE)
  const files = { broadcastDir: join(ROOT, 'broadcast'), addressesFile: join(ROOT, 'addresses.json') }
  const made = await recordDeployment({ script, rpcUrl, ...files, force: flags.includes('--force') })
  for (const [name, at] of Object.entries(made)) console.log(`${name.padEnd(16)} ${at}`)
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    // viem's full messages contain the RPC's URL, which may contain a key.
    console.error(error instanceof BaseError ? error.shortMessage : String(error))
    process.exitCode = 1
  }
}
