import type { Address, Hex } from 'viem'
import {
  type BlockRange,
  larger,
  newRangeLimit,
  type RangeLimit,
  readLast,
  readRanges,
} from '../../../contracts/checks/log-ranges.ts'

export interface Block {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: number
}

/** An event's log, with its block's time. */
export interface ChainLog {
  address: Address
  topics: [Hex, ...Hex[]]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  transactionHash: Hex
  logIndex: number
  /** Unix seconds. */
  timestamp: number
}

/** The reads that a node is asked for. */
export interface LogSource {
  latest(): Promise<Block>
  /** Null when the node has no such block. */
  block(number: bigint): Promise<Block | null>
  /** Throws the node's refusal when the range is too large, and `NodeBehindError` when its newest block is before the range's end. */
  logs(range: BlockRange): Promise<readonly ChainLog[]>
}

/** The node's newest block is older than one that was seen already: it has fallen behind, or another node answers. */
export class NodeBehindError extends Error {
  constructor(newest: bigint, seen: bigint) {
    super(`The node is at block ${newest}, and block ${seen} was seen already.`)
    this.name = 'NodeBehindError'
  }
}

export interface Followed {
  /** The block up to which `logs` were read. */
  head: Block
  /** In the order of the chain. */
  logs: readonly ChainLog[]
  /** All logs from this block on are there: the first block that was asked for, unless the node allows too few blocks a call. */
  readFrom: bigint
  /** Logs that were dropped by reorganisations so far. */
  dropped: number
}

/** The logs read so far. */
export interface ReadLogs {
  /** Blocks that were the newest at an update, in order: a later one finds out with them whether the chain is still the same. */
  checkpoints: readonly Block[]
  /** In the order of the chain, none after the last checkpoint. */
  logs: readonly ChainLog[]
  readFrom: bigint
}

interface FollowerOptions {
  source: LogSource
  /** No log is older. */
  fromBlock: bigint
  /** Calls that an update may take. What is older than it reaches is left out. */
  mostCalls?: number
  /** The state of an earlier follower of the same logs. It is checked against the chain like everything that was seen. */
  start?: ReadLogs | null
}

export interface LogFollower {
  /** Reads what is new, and again what a reorganisation replaced. A failed update changes nothing. */
  update(): Promise<Followed>
  /** The logs read, for a later follower; null before the first update. */
  readonly seen: ReadLogs | null
  /** The node's limits, as learned so far. */
  readonly limit: RangeLimit
}

const MOST_CALLS = 400n
const CHECKPOINTS = 64
/** A node that stays behind for this many updates is not behind: its chain became shorter. */
const BEHIND_UPDATES = 3

/** Follows the logs of a chain. `update` must not run twice at once. */
export function createLogFollower({ source, fromBlock, mostCalls, start = null }: FollowerOptions): LogFollower {
  const limit = newRangeLimit()
  const calls = mostCalls === undefined ? MOST_CALLS : BigInt(mostCalls)
  let seen = start
  let dropped = 0
  let behind = 0

  async function update(): Promise<Followed> {
    const head = await source.latest()
    const known = await lastCommon(head)
    if (known === null) {
      const { logs, readFrom } = await readFirst(source, limit, { fromBlock, toBlock: head.number }, calls)
      if (seen !== null) dropped += seen.logs.length
      seen = { checkpoints: [head], logs, readFrom }
      return { head, logs, readFrom, dropped }
    }
    const range = { fromBlock: known.last.number + 1n, toBlock: head.number }
    const fresh = range.fromBlock > range.toBlock ? null : await readFirst(source, limit, range, calls)
    if (fresh !== null && fresh.readFrom > range.fromBlock) {
      // Too long a time for the calls: between what was seen and what was read now, logs may be missing.
      seen = { checkpoints: [head], logs: fresh.logs, readFrom: fresh.readFrom }
      return { head, logs: fresh.logs, readFrom: fresh.readFrom, dropped }
    }
    const kept = known.logs.filter(({ blockNumber }) => blockNumber <= known.last.number)
    dropped += known.logs.length - kept.length
    const checkpoints = known.checkpoints.filter(({ number }) => number <= known.last.number)
    if (fresh !== null) checkpoints.push(head)
    const found = fresh?.logs ?? []
    const logs = found.length === 0 && kept.length === known.logs.length ? known.logs : inOrder([...kept, ...found])
    seen = { checkpoints: checkpoints.slice(-CHECKPOINTS), logs, readFrom: known.readFrom }
    return { head, logs, readFrom: known.readFrom, dropped }
  }

  /** The newest checkpoint that is still on the chain, or null. Throws when the node is behind. */
  async function lastCommon(head: Block) {
    const newest = seen?.checkpoints.at(-1)
    if (seen === null || newest === undefined) return null
    if (head.number < newest.number) {
      behind += 1
      if (behind < BEHIND_UPDATES) throw new NodeBehindError(head.number, newest.number)
    } else behind = 0
    for (const checkpoint of seen.checkpoints.toReversed()) {
      if (checkpoint.number > head.number) continue
      const now = checkpoint.number === head.number ? head : await source.block(checkpoint.number)
      if (now?.hash === checkpoint.hash) return { ...seen, last: checkpoint }
    }
    return null
  }

  return {
    update,
    limit,
    get seen() {
      return seen
    },
  }
}

/** Reads the newest part first, which shows what the node allows, then as much of the rest as the calls suffice for. */
async function readFirst(source: LogSource, limit: RangeLimit, range: BlockRange, calls: bigint) {
  const newest = await readLast(range, limit, source.logs)
  const reach = newest.fromBlock - calls * limit.blocks
  const readFrom = larger(reach, range.fromBlock)
  const older = await readRanges({ fromBlock: readFrom, toBlock: newest.fromBlock - 1n }, limit, source.logs)
  return { logs: inOrder([...older, ...newest.logs]), readFrom }
}

/** Logs in the order of the chain, each once. */
function inOrder(logs: readonly ChainLog[]): ChainLog[] {
  const byPlace = new Map(logs.map((log) => [`${log.blockHash} ${log.logIndex}`, log]))
  return [...byPlace.values()].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}
