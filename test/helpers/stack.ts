import { sql } from 'drizzle-orm'
import { createClient, type Hex, http, parseAbiItem } from 'viem'
import { getLogs, readContract } from 'viem/actions'
import { makeNeonDatabase } from '../../db/neon.ts'
import { freePort } from '../../dev/process/ports.ts'
import type { StackOptions } from '../../dev/stack/flags.ts'
import { type Stack, startStack } from '../../dev/stack/stack.ts'
import { type Buyer, makeBuyer } from './buyer.ts'

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const balanceOf = parseAbiItem('function balanceOf(address account) view returns (uint256)')

/**
 * The real local stack, with what a test wants to count: transfers from the chain, predictions from the provider, rows from the
 * database. Ports are free ones; nothing is left running after `stop`.
 */
export async function startTestStack(options: StackOptions = {}) {
  const port = options.port ?? (await freePort())
  const stack = await startStack({ limits: false, site: false, ...options, port })
  const { facts } = stack
  const client = createClient({ transport: http(facts.rpcUrl) })
  const database = makeNeonDatabase({ databaseUrl: facts.databaseUrl, httpUrl: facts.databaseHttpUrl })

  /** A signed-in wallet of the local chain, funded with USDC. */
  async function signedIn(index = 0): Promise<Buyer> {
    const wallet = buyer(index)
    const response = await wallet.signIn()
    if (response.status !== 200) throw new Error(`sign-in failed: ${response.status} ${await response.text()}`)
    return wallet
  }

  function buyer(index = 0): Buyer {
    const key = facts.buyers[index]?.privateKey
    if (key === undefined) throw new Error(`there is no buyer ${index}`)
    return makeBuyer({ fetch, origin: facts.origin, chainId: facts.chainId, privateKey: key })
  }

  /** Transfers of a token to `payTo`, oldest first. */
  async function transfers(token: Hex = facts.usdc) {
    const logs = await getLogs(client, {
      address: token,
      event: transferEvent,
      args: { to: facts.payTo as Hex },
      fromBlock: 0n,
    })
    return logs.map(({ args, transactionHash }) => ({ from: args.from, value: args.value, transactionHash }))
  }

  const balance = (account: Hex, token: Hex = facts.usdc): Promise<bigint> =>
    readContract(client, { address: token, abi: [balanceOf], functionName: 'balanceOf', args: [account] })

  /** Predictions the provider ever created; with a word, those whose webhook URL holds it. */
  async function predictions(word = ''): Promise<number> {
    const answer = await fetch(new URL('/__counts', facts.modelProviderUrl))
    const counts: { predictions: { webhook: string | null }[] } = await answer.json()
    return counts.predictions.filter(({ webhook }) => (webhook ?? '').includes(word)).length
  }

  async function rows(table: 'payments' | 'inferences'): Promise<Record<string, unknown>[]> {
    return database.run(sql.raw(`select * from ${table} order by created_at`))
  }

  return { ...stack, facts, client, database, buyer, signedIn, transfers, balance, predictions, rows }
}

export type TestStack = Awaited<ReturnType<typeof startTestStack>> & Pick<Stack, 'facts'>

/** One server-sent event with its data parsed. */
export interface StreamedEvent {
  event: string
  data: unknown
}

/** Every event of a stream, once it has ended. Comments are passed over. */
export async function readEvents(response: Response): Promise<StreamedEvent[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => /^event:/m.test(block))
  return blocks.map((block) => {
    const lines = block.split('\n')
    const field = (name: string): string =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trim())
        .join('\n')
    return { event: field('event'), data: JSON.parse(field('data')) }
  })
}
