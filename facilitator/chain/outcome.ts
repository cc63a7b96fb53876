import {
  type Log as ChainLog,
  type Client,
  concat,
  type Hex,
  pad,
  parseAbiItem,
  type TransactionReceipt,
  toEventSelector,
  toHex,
} from 'viem'
import { getCode, getLogs } from 'viem/actions'
import type { Log } from '../log.ts'
import type { Entry, Outcome, SentTransaction, Settlement, SettlementStore } from '../store/store.ts'
import { RESULT } from './payment-call.ts'

export interface OutcomeOptions {
  client: Client
  network: string
  store: SettlementStore
  now(): Date
  log: Log
}

const authorizationUsed = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const USED = toEventSelector(authorizationUsed)
const TRIED = toEventSelector('event Tried(address token, address from, bytes32 nonce, uint8 result)')
const TRANSFER = toEventSelector('event Transfer(address indexed from, address indexed to, uint256 value)')
/** How far before a revert another sender's transfer is searched. */
const SEARCH_BLOCKS = 300n

/** `reverted`: the token's own call did. `failed`: its entry in the batch contract did, and it may be tried alone. */
export type Verdict = 'settled' | 'reverted' | 'failed'

/** A mined transaction, and what became of each payment in it. */
export interface Mined extends Pick<TransactionReceipt, 'blockNumber' | 'gasUsed'> {
  hash: Hex
  verdictOf(settlement: Settlement): Verdict
  /** True if the batch contract found code at the payer. */
  hadCode(settlement: Settlement): boolean
}

/**
 * Reads a receipt. Settled is what has its own `AuthorizationUsed` and the transfer after it: a batch succeeds whatever its entries
 * do.
 */
export function minedOf({ to, status, logs, transactionHash: hash, blockNumber, gasUsed }: TransactionReceipt): Mined {
  const sentTo = to?.toLowerCase()
  /** By asset, payer and nonce: the asset's first transfer after that `AuthorizationUsed`. */
  const transfers = new Map<string, ChainLog>()
  const used = new Map<string, string[]>()
  /** By asset, payer and nonce: the result in the batch contract. */
  const tried = new Map<string, bigint>()
  for (const log of status === 'success' ? logs : []) {
    const asset = log.address.toLowerCase()
    const [event, payer, nonce] = log.topics
    const before = used.get(asset) ?? []
    if (asset === sentTo && event === TRIED)
      tried.set(log.data.slice(0, 2 + 3 * 64), BigInt(`0x${log.data.slice(-64)}`))
    if (event === USED) used.set(asset, [...before, `${asset} ${payer} ${nonce}`])
    if (event !== TRANSFER) continue
    for (const name of before) transfers.set(name, log)
    used.delete(asset)
  }
  const verdictOf = ({ key, asset, payer, value }: Settlement): Verdict => {
    const transfer = transfers.get(`${asset} ${pad(payer)} ${key.split(' ')[3]}`)
    const isPaid = transfer?.topics[1] === pad(payer) && transfer.data === toHex(value, { size: 32 })
    if (isPaid) return 'settled'
    return sentTo === asset ? 'reverted' : 'failed'
  }
  const hadCode = ({ key, asset, payer }: Settlement): boolean =>
    tried.get(concat([pad(asset), pad(payer), `0x${key.slice(-64)}`])) === BigInt(RESULT.payerHasCode)
  return { hash, blockNumber, gasUsed, verdictOf, hadCode }
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
      const isBlameless = isPaid || (verdict === 'failed' && !(await hadCode(options, entry, mined)))
      const isInBatch = verdict === 'failed'
      return { key: entry.key, isReverted: true, isBlameless, isInBatch, gasUsed }
    }),
  )
  const counted = new Set(await store.end(sent, outcomes, now()))
  for (const { key, isReverted, isBlameless, gasUsed } of outcomes) {
    if (!isReverted || !counted.has(key)) continue
    const payer = key.split(' ')[2]
    log('warn', 'settlement.reverted', { network, payer, hash: mined.hash, gas: `${gasUsed}`, isBlameless })
  }
}

/**
 * True if the payer of an entry that failed in the batch contract had code, then or at the end of that block. Only then is it to blame:
 * a payer without code has no say in the transaction.
 */
async function hadCode({ client }: OutcomeOptions, entry: Entry, mined: Mined): Promise<boolean> {
  if (mined.hadCode(entry)) return true
  const { blockNumber } = mined
  const code = await getCode(client, { address: entry.payer, blockNumber }).catch(() => undefined)
  return code !== undefined && code !== '0x'
}

/**
 * True if another transaction used the authorization first. Anyone may submit it, so that revert is not the payer's doing.
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
