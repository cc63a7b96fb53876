import { type Client, type Hex, parseAbiItem, type TransactionReceipt } from 'viem'
import { getLogs } from 'viem/actions'
import type { Log } from './log.ts'
import type { SettlementStore } from './store.ts'

export interface OutcomeOptions {
  client: Client
  network: string
  store: SettlementStore
  now(): Date
  log: Log
}

type Receipt = Pick<TransactionReceipt, 'status' | 'gasUsed' | 'transactionHash' | 'blockNumber'>

const authorizationUsed = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
/** How far before a revert another sender's transfer is searched. */
const SEARCH_BLOCKS = 300n

/** Stores what a receipt says of the settlement `key`, once. A revert is logged with the gas that it cost. */
export async function recordOutcome(options: OutcomeOptions, key: string, receipt: Receipt): Promise<void> {
  const { network, store, now, log } = options
  const { gasUsed, transactionHash } = receipt
  if (receipt.status === 'success') return void (await store.end(key, { isReverted: false, gasUsed, at: now() }))
  const isPaid = await isPaidByAnother(options, key, receipt)
  const isFirst = await store.end(key, { isReverted: true, isPaid, gasUsed, at: now() })
  const payer = key.split(' ')[2]
  if (isFirst) log('warn', 'settlement.reverted', { network, payer, hash: transactionHash, gas: `${gasUsed}`, isPaid })
}

/**
 * Whether another transaction used the authorization first. Anyone may submit it, so that revert is not the payer's doing.
 * False while the node does not answer: the payer is then braked for a day.
 */
async function isPaidByAnother({ client }: OutcomeOptions, key: string, { blockNumber }: Receipt): Promise<boolean> {
  const [, asset, authorizer, nonce] = key.split(' ').map((part): Hex => `0x${part.slice(2)}`)
  if (asset === undefined || authorizer === undefined || nonce === undefined) return false
  const fromBlock = blockNumber > SEARCH_BLOCKS ? blockNumber - SEARCH_BLOCKS : 0n
  const query = {
    address: asset,
    event: authorizationUsed,
    args: { authorizer, nonce },
    fromBlock,
    toBlock: blockNumber,
  }
  return getLogs(client, query).then(
    (logs) => logs.length > 0,
    () => false,
  )
}
