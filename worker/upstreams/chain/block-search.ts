import type { Rpc } from './rpc.ts'
import { type Block, blockSchema, hexOf } from './rpc-values.ts'

export const latestBlock = (rpc: Rpc): Promise<Block> => rpc('eth_getBlockByNumber', ['latest', false], blockSchema())

export const blockAt = (rpc: Rpc, number: bigint): Promise<Block> =>
  rpc('eth_getBlockByNumber', [hexOf(number), false], blockSchema())

const FIRST_STEP = 32n
/** How close is close enough: a few blocks too early cost nothing in a search of logs. */
export const TOLERANCE = 16n

/**
 * The number of a block older than `seconds` (unix time), at most 16 blocks before the first one that is not; the head when
 * all are older, 0 when none is. Steps back in growing strides, then narrows down: about 15 reads for a year of blocks.
 */
export async function blockBefore(rpc: Rpc, seconds: bigint, head: Block): Promise<bigint> {
  if (head.timestamp < seconds) return head.number
  let high = head
  let low = head
  for (let step = FIRST_STEP; low.timestamp >= seconds && low.number > 0n; step *= 4n) {
    high = low
    low = await blockAt(rpc, high.number > step ? high.number - step : 0n)
  }
  if (low.timestamp >= seconds) return 0n
  for (let halve = false; high.number - low.number > TOLERANCE; halve = !halve) {
    const middle = await blockAt(rpc, halve ? (low.number + high.number) / 2n : guess(low, high, seconds))
    if (middle.timestamp < seconds) low = middle
    else high = middle
  }
  return low.number
}

/** Where between two blocks the time lies if blocks came evenly; always strictly between them. */
function guess(low: Block, high: Block, seconds: bigint): bigint {
  const blocks = high.number - low.number
  const even = low.number + (blocks * (seconds - low.timestamp)) / (high.timestamp - low.timestamp)
  return even <= low.number ? low.number + 1n : even >= high.number ? high.number - 1n : even
}
