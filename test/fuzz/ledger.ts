import { pad } from 'viem'
import * as z from 'zod'
import { createRpc } from '../../dev/anvil/rpc.ts'
import type { StackInfo } from '../../dev/stack/stack-info.ts'

const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const logsSchema = z.array(z.object({ data: z.string() }))

/** The payments and runs so far, as counted by the chain and the provider. */
export interface Ledger {
  /** Amounts of all transfers to the payee, in atomic units of USDC. */
  transfers: bigint[]
  /** Runs the provider ever created. */
  runs: number
}

export async function readLedger(info: StackInfo): Promise<Ledger> {
  const rpc = createRpc(info.rpcUrl)
  const topics = [TRANSFER_TOPIC, null, pad(info.payTo, { size: 32 })]
  const logs = await rpc.call('eth_getLogs', { address: info.usdc, topics, fromBlock: '0x0', toBlock: 'latest' })
  const counts = await fetch(new URL('/__counts', info.modelProviderUrl))
  const { created } = z.object({ created: z.number() }).parse(await counts.json())
  return { transfers: logsSchema.parse(logs).map(({ data }) => BigInt(data)), runs: created }
}
