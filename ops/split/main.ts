import { writeFile } from 'node:fs/promises'
import { BaseError, createClient, defineChain, http } from 'viem'
import { parseFlags, runProgram } from '../../client/cli/flags.ts'
import { UsageError } from '../../client/node/errors.ts'
import type { Database } from '../../db/client.ts'
import { makeNeonDatabase } from '../../db/neon.ts'
import { makePgDatabase } from '../../db/pg.ts'
import { readReceived } from '../../db/queries/stats.ts'
import { AIC_DECIMALS, formatAmount } from '../../protocol/money.ts'
import { findLocalEnv } from '../local-stack.ts'
import { executeSplit, type SplitOutcome } from './execute.ts'
import { readSplitOptions, type SplitOptions } from './options.ts'
import { planSplit, type SplitClient, type SplitPlan } from './plan.ts'
import { safeBatchOf } from './safe.ts'

const SAFE_FILE = 'safe-split.json'
const HELP = `npm run split [-- [--dry-run | --safe] [--local] [--json]]

Burns a share of the AIC that payments brought in since the last split, and sends the rest to the treasury. Safe to run at any
time, twice, or again after it was interrupted. Reads the worker's variables and SPLIT_PRIVATE_KEY, or SPLIT_KEYSTORE and SPLIT_KEYSTORE_PASSWORD.

  --dry-run   say what is due, send nothing
  --safe      the receiver is a Safe: write the two calls into ${SAFE_FILE} for its Transaction Builder, send nothing; needs
              RECEIVER_ADDRESS and no key
  --local     use the stack that \`npm start\` runs, with its own key
  --json      print one JSON object, AIC as decimal strings
  --help      this text
`

/** The findings and actions of one run. AIC amounts are decimal strings with 18 decimals. */
export interface SplitReport {
  status: 'nothing_due' | 'due' | 'split' | 'batch'
  network: string
  operator: string
  token: string
  splitter: string
  burnBps: number
  receivedAic: string
  alreadySplitAic: string
  dueAic: string
  burnedAic?: string
  toTreasuryAic?: string
  approval?: string
  transaction?: string
  /** The batch for a Safe. */
  file?: string
}

/** Splits what is due; a dry run only reports it. Throws on a fault; running again is safe. */
export async function runSplit(database: Database, options: SplitOptions, dryRun: boolean): Promise<SplitReport> {
  const client = clientFor(options)
  const { plan, facts } = await findDue(client, database, options)
  if (plan.due === 0n) return { status: 'nothing_due', ...facts }
  if (dryRun) return { status: 'due', ...facts }
  return { status: 'split', ...facts, ...resultOf(await executeSplit(client, options, plan)) }
}

/** Writes what is due as a batch that the owners of a Safe sign and send. Nothing is sent. */
export async function writeSafeBatch(database: Database, options: SplitOptions, file: string): Promise<SplitReport> {
  const { plan, facts } = await findDue(clientFor(options), database, options)
  if (plan.due === 0n) return { status: 'nothing_due', ...facts }
  await writeFile(file, `${JSON.stringify(safeBatchOf(options, plan, new Date()), null, 2)}\n`)
  return { status: 'batch', ...facts, file }
}

/** Reads first the journal, then the chain, so that everything that the journal counts is on the chain. */
async function findDue(client: SplitClient, database: Database, options: SplitOptions) {
  const { network, token, splitter, operator, burnBps } = options
  const received = await readReceived(database, network.chainId, token)
  const plan = await planSplit(client, options, received)
  const facts = { network: network.network, operator: operator.address, token, splitter, burnBps, ...amountsOf(plan) }
  return { plan, facts }
}

const aic = (units: bigint): string => formatAmount(units, AIC_DECIMALS)

const amountsOf = ({ received, alreadySplit, due }: SplitPlan) => ({
  receivedAic: aic(received),
  alreadySplitAic: aic(alreadySplit),
  dueAic: aic(due),
})

const resultOf = ({ burned, toTreasury, ...hashes }: SplitOutcome) => ({
  burnedAic: aic(burned),
  toTreasuryAic: aic(toTreasury),
  ...hashes,
})

function clientFor({ network }: SplitOptions): SplitClient {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const rpcUrls = { default: { http: [network.rpcUrl] } }
  const chain = defineChain({ id: network.chainId, name: network.name, nativeCurrency, rpcUrls })
  return createClient({ chain, transport: http(network.rpcUrl), pollingInterval: 1_000 })
}

function inWords(report: SplitReport): string {
  const head = `${report.network}: ${report.receivedAic} AIC received, ${report.alreadySplitAic} split before.`
  if (report.status === 'nothing_due') return `${head}\nNothing is due.`
  if (report.status === 'due') return `${head}\n${report.dueAic} AIC are due; run without --dry-run to split them.`
  if (report.status === 'batch') return `${head}\n${report.dueAic} AIC are due; load ${report.file} into the Safe.`
  return `${head}\n${report.burnedAic} AIC burned, ${report.toTreasuryAic} to the treasury in ${report.transaction}.`
}

async function main(args: readonly string[]): Promise<boolean> {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseFlags(args, { 'dry-run': flag, safe: flag, local: flag, json: flag })
  const options = await readSplitOptions(values.local ? await localEnv() : process.env, values.safe)
  const { database, close } = openDatabase(options)
  try {
    const report = values.safe
      ? await writeSafeBatch(database, options, SAFE_FILE)
      : await runSplit(database, options, values['dry-run'])
    console.log(values.json ? JSON.stringify(report) : inWords(report))
    return true
  } catch (error) {
    throw new Error(`Nothing more was sent. ${explain(error)}`, { cause: error })
  } finally {
    await close()
  }
}

async function localEnv(): Promise<NodeJS.Dict<string>> {
  const local = await findLocalEnv()
  if (local === null) throw new UsageError('No local stack runs; start one with `npm start`.')
  return local.env
}

function openDatabase(options: SplitOptions): { database: Database; close(): Promise<void> } {
  const { databaseUrl, databaseHttpUrl: httpUrl } = options
  if (httpUrl !== undefined) return { database: makeNeonDatabase({ databaseUrl, httpUrl }), close: async () => {} }
  const database = makePgDatabase(databaseUrl)
  return { database, close: () => database.close() }
}

/** viem's full messages contain the RPC's URL, which may contain a key. */
function explain(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : String(error)
}

if (import.meta.main) await runProgram(HELP, main)
