import { type Address, encodeEventTopics, getAddress, type Hex, isHex, numberToHex, slice } from 'viem'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import type { PlainRpc } from '../../../chain-reads/plain-rpc.ts'
import { fields, str } from '../../../src/lib/shape.ts'

export interface Purchase {
  buyer: Address
  usdc: bigint
  aic: bigint
  hash: Hex
  /** Unix seconds. */
  time: number
}

/** Blocks that are searched for the list, one call each. */
const MOST_BLOCKS = 8
const WORD_BYTES = 32

/** A block's hash and time. Null when the node does not have it. */
export async function readBlock(rpc: PlainRpc, block: bigint | 'latest') {
  const tag = block === 'latest' ? block : numberToHex(block)
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

async function readIn(rpc: PlainRpc, presale: Address, block: bigint) {
  const at = numberToHex(block)
  const topics = encodeEventTopics({ abi: presaleAbi, eventName: 'Purchased' })
  const [logs, header] = await Promise.all([
    rpc('eth_getLogs', [{ address: presale, topics, fromBlock: at, toBlock: at }]),
    readBlock(rpc, block),
  ])
  const all: unknown[] = Array.isArray(logs) ? logs : []
  return all.map((log) => {
    const { topics: indexed, data, transactionHash } = fields(log, 'log')
    const [, buyer]: unknown[] = Array.isArray(indexed) ? indexed : []
    if (!isHex(buyer) || !isHex(data) || !isHex(transactionHash)) throw new Error('not a log of a purchase')
    const word = (index: number): bigint => BigInt(slice(data, index * WORD_BYTES, (index + 1) * WORD_BYTES))
    const purchase = {
      buyer: getAddress(slice(buyer, 12)),
      usdc: word(0),
      aic: word(1),
      hash: transactionHash,
      time: header?.time ?? 0,
    }
    return { purchase, previous: word(3) }
  })
}
