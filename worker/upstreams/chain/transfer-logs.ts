import type { Address, Hex } from 'viem'
import type { TransferQuery } from './chain.ts'
import { type Log, word } from './rpc-values.ts'

/** First topics: `Transfer(address,address,uint256)` of ERC-20, the other two of EIP-3009. */
export const TOPICS = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  used: '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5',
  cancelled: '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81',
} as const satisfies Record<string, Hex>

type LoggedEvent = Pick<Log, 'address' | 'topics' | 'data' | 'logIndex'>

const isEvent = (log: LoggedEvent, token: Address, ...topics: Hex[]): boolean =>
  log.address === token.toLowerCase() && topics.every((topic, index) => log.topics[index] === topic)

/**
 * Log index of the `Transfer` that a nonce made: the one that follows the nonce's own `AuthorizationUsed` in the same receipt,
 * if it is the transfer that was asked for. One transaction may settle many authorizations of one payer, so that a matching
 * `Transfer` alone proves nothing. Null when the nonce is not there or moved something else.
 */
export function findTransfer(logs: readonly LoggedEvent[], query: Omit<TransferQuery, 'chainId'>): number | null {
  const { asset, payer, payTo, amount, nonce } = query
  const used = logs.findIndex((log) => isEvent(log, asset, TOPICS.used, word(payer), word(nonce)))
  if (used === -1) return null
  const next = logs.slice(used + 1).find((log) => isEvent(log, asset, TOPICS.transfer))
  if (next === undefined || !isEvent(next, asset, TOPICS.transfer, word(payer), word(payTo))) return null
  return next.data === word(amount) ? next.logIndex : null
}
