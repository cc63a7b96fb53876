import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { createClient, type Hex, http, parseAbiItem } from 'viem'
import { getLogs, readContract } from 'viem/actions'
import { makeNeonDatabase } from '../../db/neon.ts'
import { freePort } from '../../dev/process/ports.ts'
import type { StackOptions } from '../../dev/stack/flags.ts'
import { type Stack, startStack } from '../../dev/stack/stack.ts'
import { type Buyer, makeBuyer } from './buyer.ts'
import { newDatabase } from './postgres.ts'

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const balanceOf = parseAbiItem('function balanceOf(address account) view returns (uint256)')

/**
 * The real local stack, with what a test wants to count: transfers from the chain, predictions from the provider, rows from the
 * database. Ports are free ones; nothing is left running after `stop`.
 */
export async function startTestStack(options: StackOptions = {}) {
  const port = options.port ?? (await freePort())
  // A kept state has its own database in its folder.
  const databaseUrl = options.state === undefined ? await newDatabase() : undefined
  const shell = { ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }), ...options.shell }
  return withCounts(await startStack({ limits: false, site: false, ...options, port, shell }))
}

function withCounts(stack: Stack) {
  const { info } = stack
  const client = createClient({ transport: http(info.rpcUrl) })
  const database = makeNeonDatabase({ databaseUrl: info.databaseUrl, httpUrl: info.databaseHttpUrl })

  /** A signed-in wallet of the local chain, funded with USDC. */
  async function signedIn(index = 0): Promise<Buyer> {
    const wallet = buyer(index)
    const response = await wallet.signIn()
    if (response.status !== 200) throw new Error(`sign-in failed: ${response.status} ${await response.text()}`)
    return wallet
  }

  /** A wallet of the local chain; with another `origin` it buys from a worker beside the stack's own. */
  function buyer(index = 0, origin = info.origin): Buyer {
    const key = info.buyers[index]?.privateKey
    if (key === undefined) throw new Error(`there is no buyer ${index}`)
    return makeBuyer({ fetch, origin, chainId: info.chainId, privateKey: key })
  }

  /** Transfers of a token to `payTo`, oldest first. */
  async function transfers(token: Hex = info.usdc) {
    const logs = await getLogs(client, {
      address: token,
      event: transferEvent,
      args: { to: info.payTo as Hex },
      fromBlock: 0n,
    })
    return logs.map(({ args, transactionHash }) => ({ from: args.from, value: args.value, transactionHash }))
  }

  const balance = (account: Hex, token: Hex = info.usdc): Promise<bigint> =>
    readContract(client, { address: token, abi: [balanceOf], functionName: 'balanceOf', args: [account] })

  /** Predictions the provider ever created; with a word, those whose webhook URL holds it. */
  async function predictions(word = ''): Promise<number> {
    const answer = await fetch(new URL('/__counts', info.modelProviderUrl))
    const counts: { predictions: { webhook: string | null }[] } = await answer.json()
    return counts.predictions.filter(({ webhook }) => (webhook ?? '').includes(word)).length
  }

  async function rows(table: 'payments' | 'inferences'): Promise<Record<string, unknown>[]> {
    return database.run(sql.raw(`select * from ${table} order by created_at`))
  }

  return { ...stack, info, client, database, buyer, signedIn, transfers, balance, predictions, rows }
}

/** Sets what the stack's provider does from now on: see `dev/provider/script.ts`. */
export async function scriptProvider({ info }: Pick<Stack, 'info'>, script: object): Promise<void> {
  const url = new URL('/__script', info.modelProviderUrl)
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(script) })
  if (!answer.ok) throw new Error(`the provider refuses the script: ${await answer.text()}`)
}

/** Keeps the next run whose input contains `match` from its end until the returned function is called. A text has its first piece by then. */
export async function holdRun(stack: Pick<Stack, 'info'>, match: string): Promise<() => Promise<void>> {
  const held = randomUUID()
  await scriptProvider(stack, { runs: [{ match, held }] })
  return () => scriptProvider(stack, { release: held })
}

export type TestStack = Awaited<ReturnType<typeof startTestStack>>

const BUYERS_PER_FILE = 10
/** For at most this many files of one process. */
const LENT_BUYERS = 6 * BUYERS_PER_FILE

/**
 * Returns a function that lends a stack until its `stop`, which then serves the next file of this process: starting one takes longer
 * than most files. All end with the process. The ten buyers have bought nothing yet; of other files' purchases there may be some,
 * and with them prices that are no longer those of a new stack. A test that needs these, or changes settings, must start its own.
 */
export function makeLender<Lent extends Stack>(start: (buyers: number) => Promise<Lent>, tidy?: (stack: Lent) => void) {
  /** The stacks that the files before have finished with, and how many of its buyers have been used. */
  const idle: { stack: Lent; used: number }[] = []
  return async (): Promise<Lent & TestStack> => {
    const { stack, used } = idle.pop() ?? { stack: await start(LENT_BUYERS), used: 0 }
    const buyers = stack.info.buyers.slice(used, used + BUYERS_PER_FILE)
    if (buyers.length < BUYERS_PER_FILE) throw new Error('more files share a stack than it has buyers for')
    const stop = async (): Promise<void> => {
      tidy?.(stack)
      idle.push({ stack, used: used + BUYERS_PER_FILE })
    }
    const info = { ...stack.info, buyers }
    return { ...stack, ...withCounts({ ...stack, info, stop }) }
  }
}

/** A shared stack with the default settings, and a site. */
export const borrowTestStack = makeLender((buyers) => startTestStack({ site: true, buyers }))
