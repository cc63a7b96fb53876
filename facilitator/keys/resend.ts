import { type Client, keccak256, parseTransaction } from 'viem'
import { getTransactionCount, sendRawTransaction } from 'viem/actions'
import { formatGwei } from 'viem/utils'
import { type OutcomeOptions, recordOutcomes } from '../chain/outcome.ts'
import { type Fees, presentFees, replacingFees } from '../gas/fees.ts'
import { type Log, reasonOf } from '../log.ts'
import { hashesOf, type SentTransaction, type SettlementStore } from '../store/store.ts'
import { receiptOf } from './receipts.ts'
import type { SigningKey } from './sender.ts'

export interface ResenderOptions {
  client: Client
  account: SigningKey
  network: string
  /** No replacement offers more than this, in wei per gas. */
  maxFeePerGas: bigint
  store: SettlementStore
  /** Runs `work` while this key sends nothing, so that no entry is one that the node is about to refuse. */
  between<T>(work: () => Promise<T>): Promise<T>
  now(): Date
  log: Log
}

/** A transaction whose nonce another one used is dropped after this: no authorization lives as long. */
const KEEP_OVERTAKEN_MS = 20 * 60_000
/** A transaction that waits this long at its present fees is checked: it blocks all later ones. */
const STUCK_AFTER_MS = 60_000

/**
 * Returns the work to repeat regularly, and once at the start, for one key: what is stored and not mined is sent again, with higher
 * fees where its own keep it waiting; what was mined in a block that is gone too; the outcome of what is mined is stored.
 */
export function makeResender(options: ResenderOptions): () => Promise<void> {
  const { client, account, network, store, between, now, log } = options
  const signer = account.address.toLowerCase()

  async function tend(id: SentTransaction, turn: number): Promise<void> {
    // Read again: a transaction that the node refused meanwhile is gone and must not be sent a second time.
    const sent = await store.read(id)
    if (sent === null || sent.minedAt !== null || (await isRecorded(options, sent))) return
    if (sent.accountNonce < turn) {
      if (now().getTime() - sent.sentAt.getTime() > KEEP_OVERTAKEN_MS) await store.discard(sent)
      return
    }
    const isStuck = now().getTime() - sent.pricedAt.getTime() > STUCK_AFTER_MS
    const raw = isStuck ? await repriced(options, sent, sent.accountNonce === turn) : sent.raw
    await sendRawTransaction(client, { serializedTransaction: raw }).catch((error: unknown) => {
      // "Already known" is the usual answer to the old one.
      if (raw !== sent.raw) log('warn', 'replacement.refused', { network, reason: reasonOf(error) })
    })
  }

  /** A nonce that counts as mined and is above the account's count was in a block that is gone. */
  async function reopen(turn: number): Promise<void> {
    for (const sent of await store.minedFrom({ network, signer, accountNonce: turn })) {
      log('warn', 'settlement.reopened', { network, hash: sent.hash, accountNonce: sent.accountNonce })
      await store.reopen(sent)
    }
  }

  return async () => {
    const turn = await getTransactionCount(client, { address: account.address, blockTag: 'latest' })
    await reopen(turn)
    const open = (await store.open(network)).filter((sent) => sent.signer === signer)
    for (const sent of open) await between(() => tend(sent, turn))
  }
}

/** The same for the keys that this network does not have any more: their transactions can be sent again, but not signed again. */
export async function resendOfOldKeys(options: OutcomeOptions, isOurs: (signer: string) => boolean): Promise<void> {
  const { client, network, store } = options
  const open = (await store.open(network)).filter(({ signer }) => !isOurs(signer))
  for (const sent of open) {
    if (!(await isRecorded(options, sent)))
      await sendRawTransaction(client, { serializedTransaction: sent.raw }).catch(() => undefined)
  }
}

/** Stores the outcome of a transaction that is mined; false while it is not. */
async function isRecorded(options: OutcomeOptions, sent: SentTransaction): Promise<boolean> {
  const receipt = await receiptOf(options.client, hashesOf(sent))
  if (receipt !== null) await recordOutcomes(options, sent, receipt)
  return receipt !== null
}

/**
 * The transaction to send for one that waits: the same nonce and call with higher fees, stored first; or the old one, when it only
 * waits behind others, or its fees cannot be raised.
 */
async function repriced(options: ResenderOptions, sent: SentTransaction, isFirst: boolean) {
  const { client, account, network, store, now, log, maxFeePerGas: cap } = options
  const { hash, accountNonce } = sent
  const ageSeconds = Math.round((now().getTime() - sent.sentAt.getTime()) / 1_000)
  const stuck = (reason: string) => {
    log('warn', 'settlement.stuck', { network, hash, accountNonce, ageSeconds, reason })
    return sent.raw
  }
  const { to, data, gas, chainId, nonce, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(sent.raw)
  const old: Fees = { maxFeePerGas, maxPriorityFeePerGas }
  const present = await presentFees(client, cap).catch((error: unknown) => reasonOf(error))
  if (typeof present === 'string') return stuck(present)
  const isFeeEnough = maxFeePerGas >= present.asked
  if (isFeeEnough && !isFirst) return sent.raw
  // Higher fees than the network asks for would not help: the chain has stopped.
  if (isFeeEnough && maxPriorityFeePerGas >= present.maxPriorityFeePerGas)
    return stuck('it offers what the network asks')
  const fees = replacingFees(old, present, cap)
  if (fees === null || chainId === undefined) return stuck('its fee is at the cap')
  // viem leaves out a nonce of zero.
  const raw = await account.signTransaction({ to, data, gas, chainId, nonce: nonce ?? 0, ...fees, type: 'eip1559' })
  const by = { hash: keccak256(raw), raw, pricedAt: now() }
  if (!(await store.replace(sent, hash, by))) return sent.raw
  const feeGwei = formatGwei(fees.maxFeePerGas)
  log('warn', 'settlement.replaced', { network, hash, by: by.hash, accountNonce, ageSeconds, feeGwei })
  return raw
}
