/** First and last block, both included. */
export interface BlockRange {
  fromBlock: bigint
  toBlock: bigint
}

const MOST_BLOCKS = 10_000n
const SHRINK = 4n
const GROW_AFTER = 4

/**
 * How many blocks a node searches in one call, learned from its refusals. Public nodes allow 5 to 10,000. Keep one for each node:
 * what was learned then holds for the next read.
 */
export interface RangeLimit {
  /** Blocks of the next call. */
  blocks: bigint
  /** The largest number that the node allowed; 0 before it allowed one. */
  allowed: bigint
  /** The smallest number that the node refused whatever the blocks contain; null before it refused one. */
  refused: bigint | null
  /** Calls of the present size that succeeded in a row. */
  successes: number
}

export const newRangeLimit = (): RangeLimit => ({ blocks: MOST_BLOCKS, allowed: 0n, refused: null, successes: 0 })

type ReadRange<Log> = (range: BlockRange) => Promise<readonly Log[]>

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const sizeOf = ({ fromBlock, toBlock }: BlockRange): bigint => toBlock - fromBlock + 1n

/**
 * Reads logs of a range of any size, two calls at once. A refusal because of the range's size makes the calls smaller, four
 * successes make them larger again. Returns the logs in no particular order. Throws the first other error.
 */
export async function readRanges<Log>(range: BlockRange, limit: RangeLimit, read: ReadRange<Log>): Promise<Log[]> {
  const logs: Log[] = []
  let next = range.fromBlock
  const lane = async (): Promise<void> => {
    while (next <= range.toBlock) {
      const piece = { fromBlock: next, toBlock: smaller(next + limit.blocks - 1n, range.toBlock) }
      next = piece.toBlock + 1n
      logs.push(...(await readPiece(piece, limit, read)))
    }
  }
  const orStop = (error: unknown): never => {
    next = range.toBlock + 1n
    throw error
  }
  await Promise.all([lane().catch(orStop), lane().catch(orStop)])
  return logs
}

async function readPiece<Log>(piece: BlockRange, limit: RangeLimit, read: ReadRange<Log>): Promise<readonly Log[]> {
  const size = sizeOf(piece)
  try {
    const logs = await read(piece)
    learnSuccess(limit, size)
    return logs
  } catch (error) {
    learnRefusal(limit, size, error)
  }
  const logs: Log[] = []
  for (let { fromBlock } = piece; fromBlock <= piece.toBlock; ) {
    const toBlock = smaller(fromBlock + smaller(limit.blocks, size - 1n) - 1n, piece.toBlock)
    logs.push(...(await readPiece({ fromBlock, toBlock }, limit, read)))
    fromBlock = toBlock + 1n
  }
  return logs
}

/** Reads the last blocks of a range, about as many as the node allows in one call, and so learns how many that is. */
export async function readLast<Log>(range: BlockRange, limit: RangeLimit, read: ReadRange<Log>) {
  let found: { logs: readonly Log[]; fromBlock: bigint } | null = null
  for (;;) {
    const piece = { ...range, fromBlock: larger(range.fromBlock, range.toBlock - limit.blocks + 1n) }
    try {
      found = { logs: await read(piece), fromBlock: piece.fromBlock }
      limit.allowed = larger(limit.allowed, sizeOf(piece))
    } catch (error) {
      learnRefusal(limit, sizeOf(piece), error)
    }
    const isKnown = limit.refused === null || limit.refused - limit.blocks <= larger(1n, limit.blocks / 8n)
    if (found !== null && (isKnown || piece.fromBlock === range.fromBlock)) return found
    if (found !== null && limit.refused !== null) limit.blocks = (limit.allowed + limit.refused) / 2n
  }
}

function learnSuccess(limit: RangeLimit, size: bigint): void {
  limit.allowed = larger(limit.allowed, size)
  if (size < limit.blocks) return
  limit.successes += 1
  if (limit.successes < GROW_AFTER) return
  limit.successes = 0
  const next = limit.refused === null ? limit.blocks * 2n : (limit.blocks + limit.refused) / 2n
  limit.blocks = smaller(next, MOST_BLOCKS)
}

/** Throws the error if it is not a refusal, or if the range was one block already. */
function learnRefusal(limit: RangeLimit, size: bigint, error: unknown): void {
  const refusal = refusalOf(error)
  if (refusal === null || size === 1n) throw error
  const quarter = larger(1n, size / SHRINK)
  if (refusal === 'blocks') {
    limit.refused = smaller(limit.refused ?? size, size)
    if (limit.allowed >= size) limit.allowed = 0n
  }
  limit.blocks = refusal === 'blocks' && limit.allowed > quarter ? limit.allowed : quarter
  limit.successes = 0
}

const TOO_OFTEN = /rate|too many requests|per second|compute units|quota|capacity|daily/i
const TOO_MANY_LOGS = /results|response size|too many logs|log response|more than \d+ logs/i
const TOO_MANY_BLOCKS = /block range|range|too (large|wide|big)|limit|exceed|max/i

/**
 * Whether a node refused a search because of its number of blocks or of logs; null for every other error. There is no common
 * code: nodes answer -32005, -32600, -32602, -32614, -32000, -32062 and others, so the words decide.
 */
export function refusalOf(error: unknown): 'blocks' | 'logs' | null {
  const words = wordsOf(error)
  if (TOO_MANY_LOGS.test(words)) return 'logs'
  if (TOO_OFTEN.test(words)) return null
  return TOO_MANY_BLOCKS.test(words) ? 'blocks' : null
}

/** The node's own words: viem keeps them in `details`, and adds the whole request to `message`. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'details' in error && typeof error.details === 'string' ? error.details : error.message
}
