import { join } from 'node:path'
import { type Address, BaseError, createClient, type Hex, http } from 'viem'
import { getChainId, getTransaction } from 'viem/actions'
import { type Deployed, makeEtherscan, makeSourcify, type Verifier } from './explorers.ts'
import { readBroadcast } from './record.ts'
import { sourceOf } from './standard-json.ts'

const USAGE = 'npm run contracts -- verify Deploy|Launch RPC_URL'
const BROADCAST = join(import.meta.dirname, '../broadcast')
const SOURCIFY = 'https://sourcify.dev/server'
const ETHERSCAN = 'https://api.etherscan.io/v2/api'

export interface VerifyOptions {
  script: string
  rpcUrl: string
  /** Forge's folder of sent transactions. */
  broadcastDir: string
  verifiers: Record<string, Verifier>
}

export interface Verification {
  contract: string
  address: Address
  explorer: string
  /** Null when it is verified. */
  fault: string | null
}

/** Has each contract of a deployment verified by each explorer. A refusal is part of the result. */
export async function verifyDeployment(options: VerifyOptions): Promise<Verification[]> {
  const { script, rpcUrl, broadcastDir, verifiers } = options
  const client = createClient({ transport: http(rpcUrl) })
  const chainId = await getChainId(client)
  const results: Verification[] = []
  for (const { contract, address, transaction } of await readBroadcast(broadcastDir, script, chainId)) {
    const { input } = await getTransaction(client, { hash: transaction })
    const deployed = deployedOf(contract, { chainId, address, transaction }, input)
    for (const [explorer, verify] of Object.entries(verifiers)) {
      const fault = typeof deployed === 'string' ? deployed : await verify(deployed).then(() => null, explain)
      results.push({ contract, address, explorer, fault })
    }
  }
  return results
}

/** The contract with its source, or what is wrong: code that was not deployed from this source would only be refused later. */
function deployedOf(
  contract: string,
  place: Pick<Deployed, 'chainId' | 'address' | 'transaction'>,
  input: Hex,
): Deployed | string {
  const source = sourceOf(contract)
  if (!input.startsWith(source.bytecode)) return 'it was deployed from another source than this one'
  return { ...place, source, constructorArguments: input.slice(source.bytecode.length) }
}

/** viem's full messages contain the RPC's URL, which may contain a key. */
const explain = (error: unknown): string => {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : String(error)
}

async function main([script = '', rpcUrl = '']: readonly string[]): Promise<void> {
  if (rpcUrl === '') throw new Error(USAGE)
  const apiKey = process.env['ETHERSCAN_API_KEY']
  const verifiers = {
    Sourcify: makeSourcify({ url: SOURCIFY }),
    ...(apiKey && { Etherscan: makeEtherscan({ url: ETHERSCAN, apiKey }) }),
  }
  const results = await verifyDeployment({ script, rpcUrl, broadcastDir: BROADCAST, verifiers })
  for (const { contract, address, explorer, fault } of results) {
    console.log(
      `${fault === null ? '✓' : '✗'} ${contract.padEnd(16)} ${address} ${explorer}${fault ? `: ${fault}` : ''}`,
    )
  }
  if (results.some(({ fault }) => fault !== null)) process.exitCode = 1
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
}
