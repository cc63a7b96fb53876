import type { Hex } from 'viem'
import { readContract } from 'viem/actions'
import { liquidityVaultAbi } from '../../../../contracts/abi/liquidity-vault.ts'
import { paymentSplitterAbi } from '../../../../contracts/abi/payment-splitter.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { VAULTS } from '../../../../contracts/checks/runtimes.ts'
import { browserStore, type LogStore, loadLogs, nameOfSource, saveLogs } from '../../../shared/chain-reads/kept-logs.ts'
import { previousPurchaseBlock, readLinkedPurchases } from '../../../shared/chain-reads/linked-purchases.ts'
import {
  type Block,
  type ChainLog,
  createLogFollower,
  type LogFollower,
  NodeBehindError,
} from '../../../shared/chain-reads/log-follower.ts'
import { viemLogSource } from '../../../shared/chain-reads/viem-source.ts'
import type { DashboardConfig } from '../config.ts'
import { type ChainEvent, EVENT_TOPICS, eventsOf, PURCHASED_TOPIC } from './events.ts'
import { type ChainState, type ReadClient, readState } from './state.ts'

/** All that the pages show, as of one block. */
export interface View {
  head: Block
  state: ChainState
  events: readonly ChainEvent[]
  /** The block of the presale's deployment. */
  launchBlock: bigint
  /** All events from this block on were read. Null: all there are. */
  eventsFrom: bigint | null
  /** True if every purchase was read, also those before `eventsFrom`. */
  hasAllPurchases: boolean
  /** Logs that reorganisations dropped since the page was opened. */
  dropped: number
  /** Blocks that the node searches in one call. */
  blocksPerCall: bigint
}

/** Calls of one update for purchases that are older than the node's logs reach. */
const LINKED_CALLS = 50

/** Reads the chain again at each call, at first only what is new since the last visit. Calls must not overlap. Throws what the node answers; the next call then tries again. */
export function makeLiveReader(
  client: ReadClient,
  config: DashboardConfig,
  store: LogStore = browserStore,
): () => Promise<View> {
  const { addresses, staking, wrapped, splitter } = config
  const monitored = [...Object.values(addresses), staking, wrapped, splitter].filter((address) => address !== null)
  const source = viemLogSource(client, { addresses: monitored, topics: EVENT_TOPICS })
  const decode = lastResult(eventsOf)
  let start: { first: bigint; launchBlock: bigint; follower: LogFollower; name: Hex } | null = null
  let kept: readonly ChainLog[] | null = null
  let older: { logs: ChainLog[]; next: bigint | null } = { logs: [], next: null }

  const isPurchase = ({ address, topics: [first] }: ChainLog): boolean =>
    first === PURCHASED_TOPIC && address.toLowerCase() === addresses.presale.toLowerCase()

  async function readOlder(logs: readonly ChainLog[], lastPurchaseBlock: bigint): Promise<void> {
    const next = older.next ?? previousPurchaseBlock(logs.filter(isPurchase)) ?? lastPurchaseBlock
    const walk = await readLinkedPurchases(source, next, { mostCalls: LINKED_CALLS, isPurchase })
    older = { logs: [...walk.logs.toReversed(), ...older.logs], next: walk.next }
  }

  async function begin() {
    const { first, launchBlock } = await readBlocks(client, config)
    const block = await source.block(first)
    if (block === null) throw new NodeBehindError(first - 1n, first)
    const name = nameOfSource({ chainId: config.chainId, first: block, addresses: monitored, topics: EVENT_TOPICS })
    const follower = createLogFollower({ source, fromBlock: first, start: await loadLogs(store, name) })
    return { first, launchBlock, follower, name }
  }

  /** Keeps complete logs for the next visit, again whenever there are others. */
  function keep({ follower, name }: { follower: LogFollower; name: Hex }, logs: readonly ChainLog[]): void {
    if (logs === kept || follower.seen === null) return
    kept = logs
    void saveLogs(store, name, follower.seen)
  }

  return async () => {
    start ??= await begin()
    const { first, launchBlock, follower } = start
    const { head, logs, readFrom, dropped } = await follower.update()
    const state = await readState(client, config, head.number)
    const isPartial = readFrom > first
    if (!isPartial) keep(start, logs)
    if (isPartial && older.next !== 0n && state.sale !== null) await readOlder(logs, state.sale.lastPurchaseBlock)
    return {
      ...{ head, state, launchBlock, dropped },
      events: decode(isPartial ? [...older.logs, ...logs] : logs),
      eventsFrom: isPartial ? readFrom : null,
      hasAllPurchases: !isPartial || older.next === 0n,
      blocksPerCall: follower.limit.blocks,
    }
  }
}

/** The first block with a log, and that of the presale. The contracts before the vaults have no event that is shown. */
async function readBlocks(client: ReadClient, { addresses, splitter }: DashboardConfig) {
  const functionName = 'deployedAtBlock'
  const [launchBlock, ofSplitter, ...ofVaults] = await Promise.all([
    readContract(client, { address: addresses.presale, abi: presaleAbi, functionName }),
    splitter === null ? null : readContract(client, { address: splitter, abi: paymentSplitterAbi, functionName }),
    ...VAULTS.map((name) =>
      readContract(client, { address: addresses[`${name}Vault`], abi: liquidityVaultAbi, functionName }),
    ),
  ])
  const blocks = [launchBlock, ...ofVaults, ...(ofSplitter === null ? [] : [ofSplitter])]
  return { launchBlock, first: blocks.sort((a, b) => Number(a - b))[0] ?? launchBlock }
}

/** Keeps the last result, so that the same list yields the same events, and what depends on them is not computed again. */
function lastResult<Argument extends readonly unknown[], Result>(compute: (argument: Argument) => Result) {
  let last: { argument: Argument; result: Result } | null = null
  return (argument: Argument): Result => {
    const isSame = last !== null && last.argument.length === argument.length && last.argument.at(-1) === argument.at(-1)
    if (last === null || !isSame) last = { argument, result: compute(argument) }
    return last.result
  }
}
