import { type Address, decodeEventLog, encodeEventTopics, type Hex } from 'viem'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { readLinkedPurchases } from '../../../chain-reads/linked-purchases.ts'
import type { ChainLog, LogSource } from '../../../chain-reads/log-follower.ts'

export interface Purchase {
  buyer: Address
  phaseId: number
  usdc: bigint
  aic: bigint
  hash: Hex
  /** Unix seconds. */
  time: number
}

/** Blocks that are searched for the list, one call each. */
const MOST_CALLS = 8
const [PURCHASED] = encodeEventTopics({ abi: presaleAbi, eventName: 'Purchased' })

const isPurchase = ({ topics: [first] }: ChainLog): boolean => first === PURCHASED

/** The newest purchases, the last one first. Each names the block of the one before, so that any node can find them. */
export async function readPurchases(source: Pick<LogSource, 'logs'>, lastPurchaseBlock: bigint): Promise<Purchase[]> {
  const { logs } = await readLinkedPurchases(source, lastPurchaseBlock, { mostCalls: MOST_CALLS, isPurchase })
  return logs.map(({ topics, data, transactionHash, timestamp }) => {
    const { args } = decodeEventLog({ abi: presaleAbi, eventName: 'Purchased', topics, data })
    const { buyer, phaseId, usdcAmount, aicAmount } = args
    return { buyer, phaseId: Number(phaseId), usdc: usdcAmount, aic: aicAmount, hash: transactionHash, time: timestamp }
  })
}
