import pg from 'pg'
import { createClient, http, parseAbiItem } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getLogs } from 'viem/actions'
import * as z from 'zod'
import type { RunningChain } from '../../dev/anvil/chain.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'

const healthSchema = z.looseObject({ keys: z.record(z.string(), z.object({ held: z.boolean() })) })

/** How many keys the facilitator at this port signs with. */
export async function heldKeysAt(port: number): Promise<number> {
  const health: unknown = await (await fetch(`http://127.0.0.1:${port}/health`)).json()
  return Object.values(healthSchema.parse(health).keys).filter(({ held }) => held).length
}

/** New keys with ether for gas. */
export async function fundedKeys(rpcUrl: string, count: number) {
  const keys = Array.from({ length: count }, () => generatePrivateKey())
  const rpc = createRpc(rpcUrl)
  const ether = '0xde0b6b3a7640000'
  await Promise.all(keys.map((key) => rpc.call('anvil_setBalance', privateKeyToAccount(key).address, ether)))
  return keys
}

/** Runs one statement on the facilitator's tables. */
export async function queryTables(databaseUrl: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** The transaction of each transfer to the payee, a batch's once for each payment. */
export async function transfersTo({ url, usdc, payTo }: Pick<RunningChain, 'url' | 'usdc' | 'payTo'>) {
  const client = createClient({ transport: http(url) })
  const filter = { address: usdc, event: transferEvent, args: { to: payTo }, fromBlock: 0n }
  return (await getLogs(client, filter)).map(({ transactionHash }) => transactionHash)
}
