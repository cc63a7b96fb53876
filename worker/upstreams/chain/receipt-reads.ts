import type { Hex } from 'viem'
import { latestBlock } from './block-search.ts'
import { ChainUnavailable } from './chain.ts'
import type { Rpc, RpcBatch } from './rpc.ts'
import { type Block, blockSchema, minedSchema, type Receipt } from './rpc-values.ts'

/** The answer of a read of the chain about one transaction. */
export interface ReceiptAnswer {
  /** Null while the transaction is not mined. */
  receipt: Receipt | null
  head: Block
}

export interface ReceiptReads {
  /** An answer of a read that began at most one interval ago. Throws `ChainUnavailable` when none comes within 8 s. */
  look(transaction: Hex): Promise<ReceiptAnswer>
}

export interface Clock {
  now(): Date
  sleep(ms: number): Promise<void>
}

/** A reader that has not come back by then has died with its request. More than the RPC's own deadline. */
const READER_MS = 6_000
const WAIT_MS = 8_000
/** A transaction is read for this long after the last look, so that a purchase that pauses between two looks is not missed. */
const KEPT_MS = 1_000
/** How often those who wait look for the reader's answer. */
const POLL_MS = 25
/** Transactions in one call; the rest go with the next one. */
const MAX_TRANSACTIONS = 200
/** A node that refused a batch is not sent one for this long: each purchase asks for itself. */
const SINGLE_MS = 60_000

const HEAD = { method: 'eth_getBlockByNumber', params: ['latest', false] }
const receiptCall = (transaction: Hex) => ({ method: 'eth_getTransactionReceipt', params: [transaction] })

/**
 * Receipts of one network, read for all purchases of this isolate together: at most one call to the RPC per interval, a batch of
 * the head and every transaction that is waited for. The first look after the interval reads for all. The other looks poll for its
 * answer, which is plain data: on Workers no request may wait for a promise of another, and the request that reads may end early,
 * so that its turn expires.
 */
export function makeReceiptReads(batch: RpcBatch, rpc: Rpc, intervalMs: number, clock: Clock): ReceiptReads {
  const wanted = new Map<Hex, number>()
  let answers = new Map<Hex, ReceiptAnswer>()
  let answeredFor = Number.NEGATIVE_INFINITY
  let begunAt = Number.NEGATIVE_INFINITY
  let readerUntil = 0
  let singleUntil = 0
  const time = (): number => clock.now().getTime()

  /** The longest waiting first. */
  function stillWanted(now: number): Hex[] {
    for (const [transaction, until] of wanted) if (until < now) wanted.delete(transaction)
    return [...wanted.keys()].slice(0, MAX_TRANSACTIONS)
  }

  async function read(now: number): Promise<void> {
    begunAt = now
    readerUntil = now + READER_MS
    try {
      const found = await readTogether(batch, stillWanted(now))
      if (found === null) singleUntil = now + SINGLE_MS
      if (found === null || now < answeredFor) return
      answers = found
      answeredFor = now
      // Transactions still waited for go to the end, so that none is left out where there are too many for one call.
      for (const [transaction, { receipt }] of found) {
        const until = wanted.get(transaction) ?? 0
        wanted.delete(transaction)
        if (receipt === null) wanted.set(transaction, until)
      }
    } finally {
      if (begunAt === now) readerUntil = 0
    }
  }

  return {
    async look(transaction) {
      const askedAt = time()
      for (let now = askedAt; now < askedAt + WAIT_MS; now = time()) {
        if (now < singleUntil) return readAlone(rpc, transaction)
        const answer = answeredFor > askedAt - intervalMs ? answers.get(transaction) : undefined
        if (answer === undefined || answer.receipt === null) wanted.set(transaction, now + intervalMs + KEPT_MS)
        if (answer !== undefined) return answer
        if (now >= readerUntil && now >= begunAt + intervalMs) await read(now)
        else await clock.sleep(now < readerUntil ? POLL_MS : Math.min(begunAt + intervalMs - now, intervalMs))
      }
      throw new ChainUnavailable('no receipts in time')
    },
  }
}

/** Null where the node takes no batches. */
async function readTogether(batch: RpcBatch, transactions: readonly Hex[]): Promise<Map<Hex, ReceiptAnswer> | null> {
  const results = await batch([HEAD, ...transactions.map(receiptCall)])
  if (results === null) return null
  const head = blockSchema().safeParse(results[0])
  if (!head.success) throw new ChainUnavailable('no latest block', { cause: head.error })
  return new Map(
    transactions.flatMap((transaction, index) => {
      const receipt = minedSchema().safeParse(results[index + 1])
      return receipt.success ? [[transaction, { receipt: receipt.data, head: head.data }]] : []
    }),
  )
}

async function readAlone(rpc: Rpc, transaction: Hex): Promise<ReceiptAnswer> {
  const { method, params } = receiptCall(transaction)
  const [receipt, head] = await Promise.all([rpc(method, params, minedSchema()), latestBlock(rpc)])
  return { receipt, head }
}
