import { decodeEventLog } from 'viem'
import { presaleAbi } from '../../../contracts/abi/presale.ts'
import type { ChainLog, LogSource } from './log-follower.ts'

interface Walk {
  logs: ChainLog[]
  /** The block to continue from; 0 when the first purchase was reached. */
  next: bigint
}

/** The block of the purchase before those of `logs`; null when there is no purchase among them, 0 when there is no earlier one. */
export function previousPurchaseBlock(logs: readonly ChainLog[]): bigint | null {
  const previous = logs.flatMap(({ topics, data }) => {
    const { args } = decodeEventLog({ abi: presaleAbi, eventName: 'Purchased', topics, data })
    return [args.previousBlock]
  })
  return previous.sort((a, b) => Number(a - b))[0] ?? null
}

/**
 * Reads purchases from a block back to the first one. Each purchase names the block of the one before, so that one block is searched
 * for each, however few blocks the node allows in a call. `isPurchase` picks the logs of the presale's purchases.
 */
export async function readLinkedPurchases(
  source: Pick<LogSource, 'logs'>,
  start: bigint,
  { mostCalls, isPurchase }: { mostCalls: number; isPurchase(log: ChainLog): boolean },
): Promise<Walk> {
  const logs: ChainLog[] = []
  let next = start
  for (let calls = 0; calls < mostCalls && next > 0n; calls += 1) {
    const found = (await source.logs({ fromBlock: next, toBlock: next })).filter(isPurchase)
    const previous = previousPurchaseBlock(found)
    if (previous === null) throw new Error(`The node does not return the purchase in block ${next}.`)
    logs.push(...found)
    next = previous
  }
  return { logs, next }
}
