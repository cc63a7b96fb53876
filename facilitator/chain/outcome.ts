import {
  type Log as ChainLog,
  type Client,
  type Hex,
  pad,
  parseAbiItem,
  type TransactionReceipt,
  toEventSelector,
  toHex,
} from 'viem'
import { getLogs } from 'viem/actions'
import type { Log } from '../log.ts'
import type { Outcome, SentTransaction, Settlement, SettlementStore } from '../store/store.ts'
import { MULTICALL3 } from './payment-call.ts'

export interface OutcomeOptions {
  client: Client
  network: string
  store: SettlementStore
  now(): Date
  log: Log
}

const authorizationUsed = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const USED = toEventSelector(authorizationUsed)
const TRANSFER = toEventSelector('event Transfer(address indexed from, address indexed to, uint256 value)')
/** How far before a revert another sender's transfer is searched. */
const SEARCH_BLOCKS = 300n

/** `failed`: its transaction was mined without its transfer, and nothing says why. */
export type Verdict = 'settled' | 'reverted' | 'failed'

/** A mined transaction, and what became of each payment in it. */
export interface Mined extends Pick<TransactionReceipt, 'blockNumber' | 'gasUsed'> {
  hash: Hex
  verdictOf(settlement: Settlement): Verdict
}

/**
 * Reads a receipt. Settled is what has its own `AuthorizationUsed` and the transfer after it: a batch succeeds whatever its entries
 * do.
 */
export function minedOf({ to, status, logs, transactionHash: hash, blockNumber, gasUsed }: TransactionReceipt): Mined {
  const missing = to?.toLowerCase() === MULTICALL3.toLowerCase() ? 'failed' : 'reverted'
  /** By asset, payer and nonce: the asset's first transfer after that `AuthorizationUsed`. */
  const transfers = new Map<string, ChainLog>()
  const used = new Map<string, string[]>()
  for (const log of status === 'success' ? logs : []) {
    const asset = log.address.toLowerCase()
    const [event, payer, nonce] = log.topics
    const before = used.get(asset) ?? []
    if (event === USED) used.set(asset, [...before, `${asset} ${payer} ${nonce}`])
    if (event !== TRANSFER) continue
    for (const name of before) transfers.set(name, log)
    used.delete(asset)
  }
  const verdictOf = ({ key, asset, payer, value }: Settlement): Verdict => {
    const transfer = transfers.get(`${asset} ${pad(payer)} ${key.split(' ')[3]}`)
    const isPaid = transfer?.topics[1] === pad(payer) && transfer.data === toHex(value, { size: 32 })
    return isPaid ? 'settled' : missing
  }
  return { hash, blockNumber, gasUsed, verdictOf }
}

/** Stores what a receipt says of each payment in the transaction, once. What failed is logged with the gas that it cost. */
export async function recordOutcomes(options: OutcomeOptions, sent: SentTransaction, mined: Mined): Promise<void> {
  const { network, store, now, log } = options
  const open = sent.entries.filter(({ endedAt }) => endedAt === null)
  const outcomes = await Promise.all(
    open.map(async (entry): Promise<Outcome> => {
      const verdict = mined.verdictOf(entry)
      // Its part of the gas, as of the gas limit; rounded up.
      const gasUsed = (mined.gasUsed * entry.gas + sent.gas - 1n) / sent.gas
      if (verdict === 'settled') return { key: entry.key, isReverted: false, gasUsed }
      const isPaid = await isPaidByAnother(options, entry.key, mined)
      return { key: entry.key, isReverted: true, isPaid, isInBatch: verdict === 'failed', gasUsed }
    }),
  )
  const counted = new Set(await store.end(sent, outcomes, now()))
  for (const { key, isReverted, isPaid, gasUsed } of outcomes) {
    if (!isReverted || !counted.has(key)) continue
    const payer = key.split(' ')[2]
    log('warn', 'settlement.reverted', { network, payer, hash: mined.hash, gas: `${gasUsed}`, isPaid })
  }
}

/**
 * Whether another transaction used the authorization first. Anyone may submit it, so that revert is not the payer's doing.
 * False while the node does not answer: a payer with code is then refused for a day.
 */
async function isPaidByAnother({ client }: OutcomeOptions, key: string, { blockNumber }: Mined) {
  const [, asset, authorizer, nonce] = key.split(' ').map((part): Hex => `0x${part.slice(2)}`)
  if (asset === undefined || authorizer === undefined || nonce === undefined) return false
  const fromBlock = blockNumber > SEARCH_BLOCKS ? blockNumber - SEARCH_BLOCKS : 0n
  const args = { authorizer, nonce }
  return getLogs(client, { address: asset, event: authorizationUsed, args, fromBlock, toBlock: blockNumber }).then(
    (logs) => logs.length > 0,
    () => false,
  )
}
