import type { Address } from 'viem'
import type { PlainRpc } from '../../../shared/chain-reads/plain-rpc.ts'
import { fields, str } from '../../../shared/shape.ts'
import { addressIn, asHex, PURCHASED, wordsIn } from './calls.ts'

export interface Purchase {
  buyer: Address
  usdc: bigint
  aic: bigint
  hash: string
  /** Unix seconds. */
  time: number
}

/** Blocks that are searched for the list, one call each. */
const MOST_BLOCKS = 8

/** A block's hash and time. Null when the node does not have it. */
export async function readBlock(rpc: PlainRpc, block: bigint | 'latest') {
  const tag = block === 'latest' ? block : asHex(block)
  const found = await rpc('eth_getBlockByNumber', [tag, false])
  if (found === null) return null
  const from = fields(found, 'block')
  return { number: BigInt(str(from, 'number')), hash: str(from, 'hash'), time: Number(str(from, 'timestamp')) }
}

/**
 * The newest purchases, the last one first. Each names the block of the one before, so that one block a call is searched, which every
 * node allows. Ends early at a block that the node does not have yet.
 */
export async function readPurchases(rpc: PlainRpc, presale: Address, lastPurchaseBlock: bigint): Promise<Purchase[]> {
  const purchases: Purchase[] = []
  let next = lastPurchaseBlock
  for (let blocks = 0; blocks < MOST_BLOCKS && next > 0n; blocks += 1) {
    const found = await readIn(rpc, presale, next)
    const earlier = found.map(({ previous }) => previous).sort((a, b) => Number(a - b))[0]
    if (earlier === undefined) break
    purchases.push(...found.map(({ purchase }) => purchase).toReversed())
    next = earlier
  }
  return purchases
}

/** Reads the newest purchases again only when the last one is another one, or its block was replaced. */
export function makeLatestReader(rpc: PlainRpc, presale: Address) {
  let shown: { block: bigint; hash: string; purchases: readonly Purchase[] } = { block: 0n, hash: '', purchases: [] }
  return async (lastPurchaseBlock: bigint): Promise<readonly Purchase[]> => {
    const hash = lastPurchaseBlock === 0n ? '' : ((await readBlock(rpc, lastPurchaseBlock))?.hash ?? '')
    if (shown.block === lastPurchaseBlock && shown.hash === hash) return shown.purchases
    shown = { block: lastPurchaseBlock, hash, purchases: await readPurchases(rpc, presale, lastPurchaseBlock) }
    return shown.purchases
  }
}

/** A chain that became shorter looks like a node that is behind, but stays so. */
const BEHIND_READS = 3

/** True if a newest block is older than one that was seen before, and was so in fewer than three reads in sequence. */
export function makeBehindCheck() {
  let seen = 0n
  let behind = 0
  return (newest: bigint): boolean => {
    behind = newest < seen ? behind + 1 : 0
    if (behind > 0 && behind < BEHIND_READS) return true
    seen = newest
    behind = 0
    return false
  }
}

async function readIn(rpc: PlainRpc, presale: Address, block: bigint) {
  const at = asHex(block)
  const [logs, header] = await Promise.all([
    rpc('eth_getLogs', [{ address: presale, topics: [PURCHASED], fromBlock: at, toBlock: at }]),
    readBlock(rpc, block),
  ])
  const all: unknown[] = Array.isArray(logs) ? logs : []
  return all.map((log) => {
    const from = fields(log, 'log')
    const indexed: unknown[] = Array.isArray(from['topics']) ? from['topics'] : []
    const [buyer] = wordsIn(indexed[1]) ?? []
    const [usdc, aic, , previous] = wordsIn(from['data']) ?? []
    if (buyer === undefined || usdc === undefined || aic === undefined || previous === undefined)
      throw new Error('not a log of a purchase')
    const hash = str(from, 'transactionHash')
    return { purchase: { buyer: addressIn(buyer), usdc, aic, hash, time: header?.time ?? 0 }, previous }
  })
}
