import type { Client, Hex } from 'viem'
import { getBlockNumber, getTransactionReceipt } from 'viem/actions'
import { type Mined, minedOf } from '../chain/outcome.ts'
import { type Log, reasonOf } from '../log.ts'
import { hashesOf, type SentTransaction, type SettlementStore, type TransactionId } from '../store/store.ts'
import type { Timing } from '../timing.ts'

export interface ReceiptsOptions {
  client: Client
  network: string
  store: SettlementStore
  pollingIntervalMs: number
  timing: Timing
  log: Log
  /** Stores what the receipt says. Where it rejects, the receipt is read again later. */
  onReceipt(sent: SentTransaction, mined: Mined): Promise<void>
}

export interface Receipts {
  /** The receipt of a transaction under any of its hashes, once its outcome is stored; null after `timeoutMs`. */
  wait(id: TransactionId, timeoutMs: number): Promise<Mined | null>
}

/** The receipt of the first of these transactions that is in a block; null when there is no receipt, or the node does not answer. */
export async function receiptOf(client: Client, hashes: readonly Hex[]): Promise<Mined | null> {
  const found = await Promise.all(hashes.map((hash) => getTransactionReceipt(client, { hash }).catch(() => null)))
  const receipt = found.find((each) => each !== null)
  return receipt === undefined ? null : minedOf(receipt)
}

/** A chain may mine at once: after a time without transactions the first look comes so much sooner, each next one twice as late. */
const FIRST_POLLS = 8

interface Waiter {
  until: number
  resolve(receipt: Mined | null): void
}

/** The transactions that are waited for, by name. */
type Waiting = Map<string, { id: TransactionId; waiters: Set<Waiter> }>

/** One loop for all transactions that are waited for: it reads the block number, and with each new block their receipts. */
export function makeReceipts(options: ReceiptsOptions): Receipts {
  const { client, network, pollingIntervalMs, timing, log } = options
  const waiting: Waiting = new Map()
  /** Ids whose last check was not complete. */
  const unchecked = new Set<string>()
  let isRunning = false

  async function check(name: string): Promise<void> {
    const entry = waiting.get(name)
    unchecked.delete(name)
    if (entry === undefined) return
    try {
      const receipt = await findReceipt(options, entry.id)
      if (receipt === null) return
      // Meanwhile those who waited may have left, and others come.
      const { waiters } = waiting.get(name) ?? entry
      waiting.delete(name)
      for (const { resolve } of waiters) resolve(receipt)
    } catch (error) {
      unchecked.add(name)
      log('warn', 'receipt.failed', { network, reason: reasonOf(error) })
    }
  }

  async function run(): Promise<void> {
    let lastBlock: bigint | null = null
    let pauseMs = pollingIntervalMs / FIRST_POLLS
    while (waiting.size > 0) {
      const block: bigint | null = await getBlockNumber(client, { cacheTime: 0 }).catch(() => null)
      const isNew = block !== null && block !== lastBlock
      await Promise.all([...(isNew ? waiting.keys() : unchecked)].map(check))
      if (isNew) lastBlock = block
      expire(waiting, timing.elapsed())
      if (waiting.size > 0) await timing.sleep(pauseMs)
      pauseMs = Math.min(2 * pauseMs, pollingIntervalMs)
    }
    isRunning = false
  }

  return {
    wait(id, timeoutMs) {
      const name = `${id.signer} ${id.accountNonce}`
      const { promise, resolve } = Promise.withResolvers<Mined | null>()
      const known = waiting.get(name)
      const { waiters } = known ?? { waiters: new Set() }
      waiters.add({ until: timing.elapsed() + timeoutMs, resolve })
      // All payments of a transaction wait for it: one check serves them all.
      if (known === undefined) {
        waiting.set(name, { id, waiters })
        void check(name)
      }
      if (!isRunning) void run()
      isRunning = true
      return promise
    },
  }
}

/** The receipt of a transaction, once its outcome is stored. */
async function findReceipt({ client, store, onReceipt }: ReceiptsOptions, id: TransactionId): Promise<Mined | null> {
  // Read again each time: a transaction may be replaced meanwhile, also by another process.
  const sent = await store.read(id)
  const receipt = sent === null ? null : await receiptOf(client, hashesOf(sent))
  if (sent !== null && receipt !== null) await onReceipt(sent, receipt)
  return receipt
}

/** Answers null to those who waited long enough. */
function expire(waiting: Waiting, now: number): void {
  for (const [name, { waiters }] of waiting) {
    for (const waiter of waiters) {
      if (now < waiter.until) continue
      waiters.delete(waiter)
      waiter.resolve(null)
    }
    if (waiters.size === 0) waiting.delete(name)
  }
}
