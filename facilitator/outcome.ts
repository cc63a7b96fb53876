import { type Client, type Hex, pad, parseAbiItem, type TransactionReceipt, toEventSelector, toHex } from 'viem'
import { getLogs } from 'viem/actions'
import type { Log } from './log.ts'
import { MULTICALL3 } from './payment-call.ts'
import type { Outcome, SentTransaction, Settlement, SettlementStore } from './store.ts'

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

/**
 * What became of one payment in a mined transaction. Settled is what has its own `AuthorizationUsed` and the transfer after it: a
 * batch succeeds whatever its entries do.
 */
export function verdictOf(receipt: TransactionReceipt, { key, asset, payer, value }: Settlement): Verdict {
  const isBatch = receipt.to?.toLowerCase() === MULTICALL3.toLowerCase()
  if (receipt.status !== 'success') return isBatch ? 'failed' : 'reverted'
  const [, , , nonce] = key.split(' ')
  const ours = receipt.logs.filter(({ address }) => address.toLowerCase() === asset)
  const used = ours.findIndex(({ topics: [event, from, used] }) => {
    return event === USED && from === pad(payer) && used === nonce
  })
  const next = used === -1 ? undefined : ours.slice(used + 1).find(({ topics }) => topics[0] === TRANSFER)
  const isPaid = next !== undefined && next.topics[1] === pad(payer) && next.data === toHex(value, { size: 32 })
  return isPaid ? 'settled' : isBatch ? 'failed' : 'reverted'
}

/** Stores what a receipt says of each payment in the transaction, once. What failed is logged with the gas that it cost. */
export async function recordOutcomes(
  options: OutcomeOptions,
  sent: SentTransaction,
  receipt: TransactionReceipt,
): Promise<void> {
  const { network, store, now, log } = options
  const open = sent.entries.filter(({ endedAt }) => endedAt === null)
  const outcomes = await Promise.all(
    open.map(async (entry): Promise<Outcome> => {
      const verdict = verdictOf(receipt, entry)
      // Its part of the gas, as of the gas limit; rounded up.
      const gasUsed = (receipt.gasUsed * entry.gas + sent.gas - 1n) / sent.gas
      if (verdict === 'settled') return { key: entry.key, isReverted: false, gasUsed }
      const isPaid = await isPaidByAnother(options, entry.key, receipt)
      return { key: entry.key, isReverted: true, isPaid, isInBatch: verdict === 'failed', gasUsed }
    }),
  )
  const counted = new Set(await store.end(sent, outcomes, now()))
  for (const { key, isReverted, isPaid, gasUsed } of outcomes) {
    if (!isReverted || !counted.has(key)) continue
    const payer = key.split(' ')[2]
    log('warn', 'settlement.reverted', { network, payer, hash: receipt.transactionHash, gas: `${gasUsed}`, isPaid })
  }
}

/**
 * Whether another transaction used the authorization first. Anyone may submit it, so that revert is not the payer's doing.
 * False while the node does not answer: a payer with code is then refused for a day.
 */
async function isPaidByAnother({ client }: OutcomeOptions, key: string, { blockNumber }: TransactionReceipt) {
  const [, asset, authorizer, nonce] = key.split(' ').map((part): Hex => `0x${part.slice(2)}`)
  if (asset === undefined || authorizer === undefined || nonce === undefined) return false
  const fromBlock = blockNumber > SEARCH_BLOCKS ? blockNumber - SEARCH_BLOCKS : 0n
  const args = { authorizer, nonce }
  return getLogs(client, { address: asset, event: authorizationUsed, args, fromBlock, toBlock: blockNumber }).then(
    (logs) => logs.length > 0,
    () => false,
  )
}
