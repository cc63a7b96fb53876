import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, http } from 'viem'
import { getChainId } from 'viem/actions'
import { parseFlags, runProgram } from '../../client/cli/flags.ts'
import { UsageError } from '../../client/node/errors.ts'
import { type CheckResult, checkLaunch, missingForLaunch } from '../../contracts/checks/launch-checks.ts'
import { launchPlanSchema } from '../../contracts/checks/launch-plan.ts'
import { readLaunchFacts } from '../../contracts/checks/read-facts.ts'
import { isVerifiedBySourcify } from '../../contracts/checks/sourcify.ts'
import { findPresaleRecord } from '../../contracts/script/recorded.ts'

const CONTRACTS = join(import.meta.dirname, '../../contracts')
const LOCAL_RPC = 'http://127.0.0.1:8545'
const LOCAL_CHAIN = 31_337
const HELP = `npm run presale:check -- --network NAME [--rpc-url URL] [--json]

Checks the eight contracts of a launch: code, wiring, terms, vesting, allocation, admin, operators, published source. Exit code 1
unless all is green. The plan is contracts/launch/NAME.json, the addresses are in contracts/addresses.json.

  --network NAME    base, sepolia, local …
  --rpc-url URL     a node of that chain; default: ${LOCAL_RPC}
  --plan FILE       another plan
  --addresses FILE  other addresses
  --json            print one JSON object
  --help            this text
`

const OPTIONS = {
  network: { type: 'string' },
  'rpc-url': { type: 'string' },
  plan: { type: 'string' },
  addresses: { type: 'string' },
  json: { type: 'boolean' },
} as const

const MARKS = { green: '✓', red: '✗', unknown: '?' }

export interface PresaleCheckOptions {
  rpcUrl: string
  planFile: string
  addressesFile: string
}

/** Reads the chain and returns the launch checklist. What is missing is red. Throws when a file is malformed. */
export async function checkPresale({ rpcUrl, planFile, addressesFile }: PresaleCheckOptions): Promise<CheckResult[]> {
  const client = createClient({ transport: http(rpcUrl, { timeout: 10_000, retryCount: 1, batch: true }) })
  if (!existsSync(planFile)) {
    return missingForLaunch('plan of the launch', `${planFile} is missing; copy example.json beside it`, true)
  }
  const plan = launchPlanSchema.parse(JSON.parse(await readFile(planFile, 'utf8')))
  const chainId = await getChainId(client).catch(() => null)
  if (chainId === null) return missingForLaunch('node', 'it does not answer; name another with --rpc-url', true)
  const hasExplorer = chainId !== LOCAL_CHAIN
  const record = await findPresaleRecord(addressesFile, chainId)
  if (record === null) {
    const detail = `${addressesFile} does not name the eight contracts on chain ${chainId}: nothing was launched or recorded`
    return missingForLaunch('record of the launch', detail, hasExplorer)
  }
  const { deployer, ...addresses } = record
  const facts = await readLaunchFacts(client, {
    ...{ addresses, usdc: plan.usdc, deployer },
    ...(hasExplorer && { isVerified: (address) => isVerifiedBySourcify(chainId, address) }),
  })
  return checkLaunch(facts, plan, hasExplorer)
}

async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseFlags(args, OPTIONS)
  if (values.network === undefined) throw new UsageError('Name the network: --network base')
  const results = await checkPresale({
    rpcUrl: values['rpc-url'] ?? LOCAL_RPC,
    planFile: values.plan ?? join(CONTRACTS, 'launch', `${values.network}.json`),
    addressesFile: values.addresses ?? join(CONTRACTS, 'addresses.json'),
  })
  const isGreen = results.every(({ status }) => status === 'green')
  const lines = results.map(({ check, status, detail }) => `${MARKS[status]} ${check.padEnd(26)} ${detail}`)
  console.log(values.json ? JSON.stringify({ green: isGreen, checks: results }) : lines.join('\n'))
  return isGreen
}

if (import.meta.main) await runProgram(HELP, main)
