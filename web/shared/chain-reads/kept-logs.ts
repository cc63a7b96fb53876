import { type Address, type Hex, isAddress, isHex, keccak256, stringToHex } from 'viem'
import { isFields, maybeNum } from '../shape.ts'
import type { Block, ChainLog, ReadLogs } from './log-follower.ts'

/** Where the logs of the last visit are kept. A store that fails keeps nothing. */
export interface LogStore {
  load(): Promise<unknown>
  save(record: unknown): Promise<void>
}

interface Source {
  chainId: number
  /** The block before which there are no logs. Another chain of the same id has another hash there. */
  first: Block
  addresses: readonly Address[]
  topics: readonly Hex[]
}

/** The name of a record: another chain, contract or event is another name. */
export function nameOfSource({ chainId, first, addresses, topics }: Source): Hex {
  return keccak256(stringToHex([chainId, first.number, first.hash, ...addresses, ...topics].join(' ').toLowerCase()))
}

/** A browser's database may never answer; reading everything again is then faster. */
const LONGEST_LOAD_MS = 2_000

/**
 * The logs of the last visit, or null. They are only a start: the follower asks the node for the blocks that it saw last, and reads
 * again what is no longer on the chain.
 */
export async function loadLogs(store: LogStore, name: Hex): Promise<ReadLogs | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, LONGEST_LOAD_MS, null))
  const record = await Promise.race([store.load().catch(() => null), late])
  if (!isFields(record) || record['name'] !== name || typeof record['readFrom'] !== 'bigint') return null
  const checkpoints = listOf(record['checkpoints'], isBlock)
  const logs = listOf(record['logs'], isLog)
  return checkpoints === null || logs === null ? null : { checkpoints, logs, readFrom: record['readFrom'] }
}

/** Keeps the logs for the next visit. */
export async function saveLogs(store: LogStore, name: Hex, { checkpoints, logs, readFrom }: ReadLogs): Promise<void> {
  await store.save({ name, checkpoints, logs, readFrom }).catch(() => undefined)
}

/** The list, or null when a member is invalid. */
function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] | null {
  if (!Array.isArray(value)) return null
  const items: unknown[] = value
  const right = items.filter(isItem)
  return right.length === items.length ? right : null
}

const isBlock = (value: unknown): value is Block =>
  isFields(value) &&
  typeof value['number'] === 'bigint' &&
  isHex(value['hash']) &&
  maybeNum(value, 'timestamp') !== null

const isLog = (value: unknown): value is ChainLog =>
  isFields(value) &&
  typeof value['blockNumber'] === 'bigint' &&
  typeof value['address'] === 'string' &&
  isAddress(value['address'], { strict: false }) &&
  [value['data'], value['blockHash'], value['transactionHash']].every((hex) => isHex(hex)) &&
  [maybeNum(value, 'logIndex'), maybeNum(value, 'timestamp')].every((number) => number !== null) &&
  Array.isArray(value['topics']) &&
  value['topics'].length > 0 &&
  value['topics'].every((topic) => isHex(topic))

const DATABASE = 'coinslot.logs'
const TABLE = 'records'
/** One record: that of the chain and contracts that were opened last. */
const KEY = 'last'

/** The browser's database (IndexedDB), which has room for the logs of a large sale. Its calls reject where site data is blocked. */
export const browserStore: LogStore = {
  load: () => transact('readonly', (table) => table.get(KEY)),
  save: async (record) => {
    await transact('readwrite', (table) => table.put(record, KEY))
  },
}

async function transact(mode: IDBTransactionMode, use: (table: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE)
  await done(opening)
  const database = opening.result
  try {
    return await done(use(database.transaction(TABLE, mode).objectStore(TABLE)))
  } finally {
    database.close()
  }
}

const done = (request: IDBRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser’s database failed'))
  })
