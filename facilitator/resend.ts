import { type Client, keccak256, type PrivateKeyAccount, parseTransaction } from 'viem'
import { getTransactionCount, sendRawTransaction } from 'viem/actions'
import { formatGwei } from 'viem/utils'
import { type Fees, presentFees, replacingFees } from './fees.ts'
import { receiptOf } from './first-receipt.ts'
import { type Log, reasonOf } from './log.ts'
import { recordOutcome } from './outcome.ts'
import type { Sender } from './sender.ts'
import { hashesOf, type SentTransaction, type SettlementStore } from './store.ts'

export interface ResenderOptions {
  client: Client
  account: PrivateKeyAccount
  network: string
  /** No replacement offers more than this, in wei per gas. */
  maxFeePerGas: bigint
  store: SettlementStore
  sender: Sender
  now(): Date
  log: Log
}

/** An ended entry whose caller did not return for the answer is dropped after this: no authorization lives as long. */
const KEEP_ENDED_MS = 20 * 60_000
/** A transaction that waits this long at its present fees is checked: it blocks all later ones. */
const STUCK_AFTER_MS = 60_000

/**
 * Returns the work to repeat regularly, and once at the start: what is stored and not mined is sent again, with higher fees where
 * its own keep it waiting; the outcome of what is mined is stored; what ended long ago is dropped.
 */
export function makeResender(options: ResenderOptions): () => Promise<void> {
  const { client, account, network, store, sender, now, log } = options
  const signer = account.address.toLowerCase()

  async function tend(key: string, turn: number): Promise<void> {
    // Read again: an entry that the node refused meanwhile is forgotten and must not be sent a second time.
    const entry = await store.find(key)
    if (entry === null) return
    const receipt = entry.endedAt === null ? await receiptOf(client, hashesOf(entry)) : null
    if (receipt !== null) await recordOutcome(options, key, receipt)
    // A transaction of an earlier key can be sent again, but not signed again.
    const isOurs = entry.signer === signer
    const hasEnded = entry.endedAt !== null || receipt !== null || (isOurs && entry.accountNonce < turn)
    if (hasEnded) {
      if (now().getTime() - entry.sentAt.getTime() > KEEP_ENDED_MS) await store.forget(key)
      return
    }
    const isStuck = isOurs && now().getTime() - entry.pricedAt.getTime() > STUCK_AFTER_MS
    const raw = isStuck ? await repriced(options, entry, entry.accountNonce === turn) : entry.raw
    await sendRawTransaction(client, { serializedTransaction: raw }).catch((error: unknown) => {
      // "Already known" is the usual answer to the old one.
      if (raw !== entry.raw) log('warn', 'replacement.refused', { network, reason: reasonOf(error) })
    })
  }

  return async () => {
    const open = await store.open(network)
    if (open.length === 0) return
    const turn = await getTransactionCount(client, { address: account.address, blockTag: 'latest' })
    for (const { key } of open) await sender.between(() => tend(key, turn))
  }
}

/**
 * What to send for a transaction that waits: the same nonce and call with higher fees, stored first; or the old one, when it only
 * waits behind others, or its fees cannot be raised.
 */
async function repriced(options: ResenderOptions, entry: SentTransaction, isFirst: boolean) {
  const { client, account, network, store, now, log, maxFeePerGas: cap } = options
  const { key, hash, accountNonce } = entry
  const ageSeconds = Math.round((now().getTime() - entry.sentAt.getTime()) / 1_000)
  const stuck = (reason: string) => {
    log('warn', 'settlement.stuck', { network, hash, accountNonce, ageSeconds, reason })
    return entry.raw
  }
  const { to, data, gas, chainId, nonce, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(entry.raw)
  const old: Fees = { maxFeePerGas, maxPriorityFeePerGas }
  const present = await presentFees(client, cap).catch((error: unknown) => reasonOf(error))
  if (typeof present === 'string') return stuck(present)
  const isFeeEnough = maxFeePerGas >= present.asked
  if (isFeeEnough && !isFirst) return entry.raw
  // Higher fees than the network asks for would not help: the chain has stopped.
  if (isFeeEnough && maxPriorityFeePerGas >= present.maxPriorityFeePerGas)
    return stuck('it offers what the network asks')
  const fees = replacingFees(old, present, cap)
  if (fees === null || chainId === undefined) return stuck('its fee is at the cap')
  const raw = await account.signTransaction({ to, data, gas, chainId, nonce, ...fees, type: 'eip1559' })
  const by = { hash: keccak256(raw), raw, pricedAt: now() }
  if (!(await store.replace(key, hash, by))) return entry.raw
  const feeGwei = formatGwei(fees.maxFeePerGas)
  log('warn', 'settlement.replaced', {
    network,
    hash,
    by: by.hash,
    accountNonce,
    ageSeconds,
    feeGwei,
  })
  return raw
}
