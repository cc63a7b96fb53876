import { blockAt, blockBefore, latestBlock, TOLERANCE } from './block-search.ts'
import { type AuthorizationOutcome, ChainUnavailable, type TransferQuery } from './chain.ts'
import { type Rpc, RpcRefusal } from './rpc.ts'
import { type Block, bytes, callData, hexOf, type Log, logsSchema, receiptSchema, word } from './rpc-values.ts'
import { findTransfer, TOPICS } from './transfer-logs.ts'

/** Blocks asked for at once; halved when a node finds that too many. */
const WINDOW = 2000n
const MIN_WINDOW = 8n
const MAX_CALLS = 64
/** Past this age a block is known to every node behind a load balancer. */
const SETTLED_SECONDS = 1200n

/** True if a nonce is spent (used or cancelled) as of a block. */
export async function isSpent(
  rpc: Rpc,
  query: Pick<TransferQuery, 'asset' | 'payer' | 'nonce'>,
  block: bigint,
): Promise<boolean> {
  const data = callData('authorizationState(address,bytes32)', query.payer, query.nonce)
  const answer = await rpc('eth_call', [{ to: query.asset, data }, hexOf(block)], bytes())
  if (answer.length !== 66)
    throw new ChainUnavailable('authorizationState answers nothing: is the asset an EIP-3009 token?')
  return BigInt(answer) !== 0n
}

/** A time of the chain, in seconds. */
const secondsOf = (time: Date): bigint => BigInt(Math.ceil(time.getTime() / 1000))

/** Searches blocks from `since` to `until` for what spent a nonce; see `Chain.authorizationOutcome`. */
export async function findOutcome(
  rpc: Rpc,
  query: TransferQuery,
  since: Date,
  until: Date,
): Promise<AuthorizationOutcome> {
  const head = await latestBlock(rpc)
  const first = await blockBefore(rpc, secondsOf(since), head)
  let last = (await blockBefore(rpc, secondsOf(until), head)) + TOLERANCE
  if (last > head.number) last = head.number
  const log = await firstLog(rpc, query, first, last)
  if (log === null) {
    await assertNothingMissed(rpc, query, { first, last }, head)
    return { kind: 'not_found' }
  }
  const block = await blockAt(rpc, log.blockNumber)
  if (block.timestamp < secondsOf(since)) return { kind: 'not_found' }
  if (log.topics[0] === TOPICS.cancelled) return { kind: 'cancelled' }
  const receipt = await rpc('eth_getTransactionReceipt', [log.transactionHash], receiptSchema())
  const logIndex = findTransfer(receipt.logs, query)
  if (logIndex === null) return { kind: 'elsewhere' }
  return { kind: 'transferred', transaction: receipt.transactionHash, logIndex, ...depth(block, head) }
}

/** Depth of a block under the head (1 = it is the head). */
export const confirmationsOf = (block: bigint, head: Pick<Block, 'number'>): number =>
  head.number < block ? 1 : Number(head.number - block) + 1

const depth = (block: Block, head: Block): { blockTime: Date; confirmations: number } => ({
  blockTime: new Date(Number(block.timestamp) * 1000),
  confirmations: confirmationsOf(block.number, head),
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
    const logs = await rpc('eth_getLogs', [filter], logsSchema()).catch((error: unknown) => {
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
 * Finding no log means that nothing happened only if the node that searched knew all blocks; one that lags behind returns an
 * empty list. So the states around the search must agree: spent before it already, or unspent after it.
 * Throws `ChainUnavailable` when they do not, and when a node without old states leaves it open while blocks are young.
 */
async function assertNothingMissed(
  rpc: Rpc,
  query: TransferQuery,
  { first, last }: { first: bigint; last: bigint },
  head: Block,
): Promise<void> {
  if (!(await isSpent(rpc, query, head.number))) return
  try {
    if (await isSpent(rpc, query, first > 0n ? first - 1n : 0n)) return
    if (last < head.number && !(await isSpent(rpc, query, last))) return
  } catch (error) {
    const end = await blockAt(rpc, last)
    if (error instanceof RpcRefusal && head.timestamp - end.timestamp > SETTLED_SECONDS) return
    throw error
  }
  throw new ChainUnavailable('the nonce is spent, but the RPC shows no log of it')
}
