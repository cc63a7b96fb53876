import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, BaseError, createClient, getAddress, http } from 'viem'
import { getChainId, getCode } from 'viem/actions'
import * as z from 'zod'
import { address } from './launch-plan.ts'
import { type AddressFile, readAddressFile } from './recorded.ts'

const ROOT = join(import.meta.dirname, '..')
const USAGE = 'npm run contracts:record -- Deploy|Launch RPC_URL [--force]'

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
      transactionHash: z.string(),
      contractAddress: address.nullable(),
      from: address,
    }),
  ),
})

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
  const chainId = String(await getChainId(client))
  const made = await readReceipts(join(broadcastDir, `${script}.s.sol`, chainId, 'run-latest.json'), names)
  for (const name of Object.values(names)) {
    const found = made[name]
    if (found === undefined && OPTIONAL.includes(name)) continue
    if (found === undefined) throw new Error(`No receipt says that ${name} was made. Nothing was recorded.`)
    const code = (await getCode(client, { address: found })) ?? '0x'
    if (code === '0x') throw new Error(`${name} at ${found} has no code. Nothing was recorded.`)
  }
  const file = await readAddressFile(addressesFile)
  checkNew(file[chainId] ?? {}, made, force)
  file[chainId] = { ...file[chainId], ...made }
  await writeFile(addressesFile, `${JSON.stringify(file, null, 2)}\n`)
  return made
}

async function readReceipts(path: string, names: Record<string, string>): Promise<Record<string, Address>> {
  const { transactions, receipts } = broadcastSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  const made: Record<string, Address> = {}
  for (const { status, transactionHash, contractAddress, from } of receipts) {
    const sent = transactions.find(({ hash }) => hash === transactionHash)
    const name = names[sent?.contractName ?? '']
    if (sent?.transactionType !== 'CREATE' || name === undefined || contractAddress === null) continue
    if (status !== '0x1') throw new Error(`The deployment of ${name} reverted. Nothing was recorded.`)
    made[name] = getAddress(contractAddress)
    if (names['Presale'] !== undefined) made['deployer'] = from
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
