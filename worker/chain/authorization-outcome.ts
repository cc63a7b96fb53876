import * as z from 'zod'
import { blockAt, blockBefore, latestBlock } from './block-search.ts'
import { type AuthorizationOutcome, ChainUnavailable, type TransferQuery } from './chain.ts'
import { type Rpc, RpcRefusal } from './rpc.ts'
import { type Block, bytes, callData, hexOf, type Log, logSchema, receiptSchema, word } from './rpc-values.ts'
import { findTransfer, TOPICS } from './transfer-logs.ts'

/** How long after `since` a nonce is looked for: far beyond the 15 minutes an authorization may live. */
const SEARCH_SECONDS = 3n * 3600n
/** Blocks asked for at once; halved when a node finds that too many. */
const WINDOW = 2000n
const MIN_WINDOW = 8n
const MAX_CALLS = 64
/** Past this age a block is known to every node behind a load balancer. */
const SETTLED_SECONDS = 1200n

/** Whether a nonce is spent (used or cancelled) as of a block. */
export async function isSpent(
  rpc: Rpc,
  query: Pick<TransferQuery, 'asset' | 'payer' | 'nonce'>,
  block: bigint,
): Promise<boolean> {
  const data = callData('authorizationState(address,bytes32)', query.payer, query.nonce)
  const answer = await rpc('eth_call', [{ to: query.asset, data }, hexOf(block)], bytes)
  if (answer.length !== 66)
    throw new ChainUnavailable('authorizationState answers nothing: is the asset an EIP-3009 token?')
  return BigInt(answer) !== 0n
}

/** Searches blocks from `since` on for what spent a nonce; see `Chain.authorizationOutcome`. */
export async function findFate(rpc: Rpc, query: TransferQuery, since: Date): Promise<AuthorizationOutcome> {
  const head = await latestBlock(rpc)
  const sinceSeconds = BigInt(Math.ceil(since.getTime() / 1000))
  const first = await blockBefore(rpc, sinceSeconds, head)
  const end = await blockBefore(rpc, sinceSeconds + SEARCH_SECONDS, head)
  const log = await firstLog(rpc, query, first, end + 16n < head.number ? end + 16n : head.number)
  if (log === null) {
    await assertNothingMissed(rpc, query, first, head)
    return { kind: 'not_found' }
  }
  const block = await blockAt(rpc, log.blockNumber)
  if (block.timestamp < sinceSeconds) return { kind: 'not_found' }
  if (log.topics[0] === TOPICS.cancelled) return { kind: 'cancelled' }
  const receipt = await rpc('eth_getTransactionReceipt', [log.transactionHash], receiptSchema)
  const logIndex = findTransfer(receipt.logs, query)
  if (logIndex === null) return { kind: 'elsewhere' }
  return { kind: 'transferred', transaction: receipt.transactionHash, logIndex, ...depth(block, head) }
}

/** Time of a block, and how deep it lies under the head (1 = it is the head). */
export const depth = (block: Block, head: Pick<Block, 'number'>): { blockTime: Date; confirmations: number } => ({
  blockTime: new Date(Number(block.timestamp) * 1000),
  confirmations: head.number < block.number ? 1 : Number(head.number - block.number) + 1,
})

/** The nonce's `AuthorizationUsed` or `AuthorizationCanceled`; there is never more than one of them. */
async function firstLog(rpc: Rpc, query: TransferQuery, first: bigint, last: bigint): Promise<Log | null> {
  const topics = [[TOPICS.used, TOPICS.cancelled], word(query.payer), word(query.nonce)]
  let window = WINDOW
  let calls = 0
  for (let from = first; from <= last; ) {
    const to = from + window - 1n < last ? from + window - 1n : last
    calls += 1
    if (calls > MAX_CALLS) throw new ChainUnavailable('the RPC serves logs of too few blocks at once')
    const filter = { address: query.asset, fromBlock: hexOf(from), toBlock: hexOf(to), topics }
    const logs = await rpc('eth_getLogs', [filter], z.array(logSchema)).catch((error: unknown) => {
      if (error instanceof RpcRefusal && window > MIN_WINDOW) return null
      throw error
    })
    if (logs === null) window /= 4n
    else if (logs[0] !== undefined) return logs[0]
    else from = to + 1n
  }
  return null
}

/**
 * Finding no log means that nothing happened only if the node that searched knew all blocks; one that lags behind its
 * siblings answers with an empty list. So the state before the search must agree: spent already then, or unspent still.
 * Throws `ChainUnavailable` when it does not, and when a node without old states leaves it open while blocks are young.
 */
async function assertNothingMissed(rpc: Rpc, query: TransferQuery, first: bigint, head: Block): Promise<void> {
  if (!(await isSpent(rpc, query, head.number))) return
  try {
    if (await isSpent(rpc, query, first > 0n ? first - 1n : 0n)) return
  } catch (error) {
    const old = await blockAt(rpc, first)
    if (error instanceof RpcRefusal && head.timestamp - old.timestamp > SEARCH_SECONDS + SETTLED_SECONDS) return
    throw error
  }
  throw new ChainUnavailable('the nonce is spent, but the RPC shows no log of it')
}
