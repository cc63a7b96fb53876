import { type Address, type Client, type Hex, hexToBigInt, hexToNumber, numberToHex, type Transport } from 'viem'
import type { BlockRange } from '../../../contracts/checks/log-ranges.ts'
import { type Block, type ChainLog, type LogSource, NodeBehindError } from './log-follower.ts'

interface SourceOptions {
  /** Contracts whose logs are read. */
  addresses: readonly Address[]
  /** First topics of the events; all events when left out. */
  topics?: readonly Hex[]
}

/** So close to the newest block, another node behind the same address may not have the blocks yet. */
const NEAR_HEAD = 100n
/** A node leaves out `blockTimestamp` in logs only when it is old; then the times of this many blocks are kept. */
const MOST_TIMES = 5_000

/** The reads of `createLogFollower`, made by viem. */
export function viemLogSource(client: Client<Transport>, { addresses, topics }: SourceOptions): LogSource {
  const times = new Map<bigint, number>()
  let newest = 0n

  async function block(number: Hex | 'latest'): Promise<Block | null> {
    const found = await client.request({ method: 'eth_getBlockByNumber', params: [number, false] })
    if (found === null || found.number === null || found.hash === null) return null
    const { hash, timestamp } = found
    return { hash, number: hexToBigInt(found.number), timestamp: hexToNumber(timestamp) }
  }

  async function timeOf(number: bigint, stated: Hex | undefined | null): Promise<number> {
    if (stated) return hexToNumber(stated)
    const kept = times.get(number)
    if (kept !== undefined) return kept
    const timestamp = (await block(numberToHex(number)))?.timestamp
    if (timestamp === undefined) throw new NodeBehindError(number - 1n, number)
    if (times.size >= MOST_TIMES) times.clear()
    times.set(number, timestamp)
    return timestamp
  }

  async function logs({ fromBlock, toBlock }: BlockRange): Promise<ChainLog[]> {
    const filter = {
      ...{ address: [...addresses], fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) },
      ...(topics !== undefined && { topics: [[...topics]] }),
    }
    // Both calls leave in one request, so that the same node answers them: an empty list of a node that is behind means nothing.
    const [found, head] = await Promise.all([
      client.request({ method: 'eth_getLogs', params: [filter] }),
      toBlock + NEAR_HEAD > newest ? client.request({ method: 'eth_blockNumber' }) : null,
    ])
    if (head !== null && hexToBigInt(head) < toBlock) throw new NodeBehindError(hexToBigInt(head), toBlock)
    return Promise.all(
      found.flatMap(({ address, topics: all, data, blockNumber, blockHash, transactionHash, logIndex, ...rest }) => {
        const [first, ...others] = all
        if (blockNumber === null || blockHash === null || transactionHash === null || logIndex === null) return []
        if (first === undefined) return []
        const number = hexToBigInt(blockNumber)
        const log = { address, data, blockNumber: number, blockHash, transactionHash, logIndex: hexToNumber(logIndex) }
        return timeOf(number, rest.blockTimestamp).then(
          (timestamp): ChainLog => ({ ...log, topics: [first, ...others], timestamp }),
        )
      }),
    )
  }

  return {
    logs,
    block: (number) => block(numberToHex(number)),
    async latest() {
      const head = await block('latest')
      if (head === null) throw new Error('The node has no newest block.')
      if (head.number > newest) newest = head.number
      return head
    },
  }
}
