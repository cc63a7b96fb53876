import type { Hex } from 'viem'
import type { AuthorizationOutcome, FoundTransfer, TransferQuery } from '../../worker/chain/chain.ts'
import type { Authorization } from '../../worker/payments/schemas.ts'

/** Our facilitator, for a caller at a moment, or a stranger who saw the authorization. */
export type Submitter =
  | {
      kind: 'facilitator'
      caller: number | undefined
      moment: number
      /** It answered that nothing was sent. */
      saidNo?: boolean
    }
  | { kind: 'stranger' }

/** A signed transfer on its way to the token. */
interface Transaction {
  hash: Hex
  authorizations: Authorization[]
  by: Submitter
  /** Not in a block before this time. */
  mineAt: number
}

/** What spent a nonce. */
export interface Spend {
  kind: 'transferred' | 'cancelled'
  hash: Hex
  logIndex: number
  block: number
  blockTime: Date
  by: Submitter
  to: string
  value: bigint
  /** Which signature of this nonce it was. */
  validBefore: string
}

const BLOCK_MS = 2_000
const hashOf = (count: number): Hex => `0x${count.toString(16).padStart(64, '0')}`
const keyOf = (payer: string, nonce: string): string => `${payer}:${nonce}`.toLowerCase()

/**
 * One token on one chain with its own clock: blocks may stop, and continue with times far behind the wall clock. A nonce is
 * spent once, by the first transaction that is mined. One that has expired by its block's time moves nothing.
 */
export function makeLedger(now: () => Date) {
  const spends = new Map<string, Spend>()
  /** Authorizations whose wallet accepts the signature in every check and refuses it in a block. */
  const refusing = new Set<string>()
  const reverted = new Set<Hex>()
  let mempool: Transaction[] = []
  let batch: Transaction | null = null
  let transactions = 0
  let logs = 0
  let head = { number: 1_000, timeMs: now().getTime() }
  let isStalled = false
  /** How far block times lag behind the wall clock. */
  let lagMs = 0
  let earliestMs = 0

  /** Makes the blocks that are due, with what waits in the mempool. */
  function mine(): void {
    if (isStalled) return
    const dueMs = now().getTime() - lagMs
    const ripe = mempool.filter(({ mineAt }) => mineAt <= now().getTime())
    mempool = mempool.filter((transaction) => !ripe.includes(transaction))
    for (const transaction of ripe) {
      const minedMs = Math.max(head.timeMs, Math.min(dueMs, transaction.mineAt - lagMs))
      head = { number: head.number + 1, timeMs: minedMs }
      apply(transaction)
    }
    const blocks = Math.floor((dueMs - head.timeMs) / BLOCK_MS)
    if (blocks > 0) head = { number: head.number + blocks, timeMs: head.timeMs + blocks * BLOCK_MS }
  }

  /** A transaction whose one transfer fails is reverted; of several transfers, the ones that fail are left out. */
  function apply({ authorizations, hash, by }: Transaction): void {
    for (const { from, nonce, to, value, validBefore } of authorizations) {
      logs += 2
      const key = keyOf(from, nonce)
      if (spends.has(key) || refusing.has(key) || head.timeMs >= Number(validBefore) * 1000) {
        if (authorizations.length === 1) reverted.add(hash)
        continue
      }
      spends.set(key, {
        kind: 'transferred',
        ...seal(hash, by),
        to: to.toLowerCase(),
        value: BigInt(value),
        validBefore,
      })
    }
  }

  const seal = (hash: Hex, by: Submitter) => ({
    hash,
    logIndex: logs,
    block: head.number,
    blockTime: new Date(head.timeMs),
    by,
  })

  function submit(authorization: Authorization, by: Submitter, delayMs: number): Hex {
    transactions += 1
    const hash = hashOf(transactions)
    const mineAt = now().getTime() + delayMs
    // One that the network drops leaves nothing behind.
    if (delayMs !== Infinity) mempool.push({ hash, authorizations: [authorization], by, mineAt })
    mine()
    return hash
  }

  /** Joins the transaction that settles several at once; it is mined a little later. */
  function submitInBatch(authorization: Authorization, by: Submitter): Hex {
    if (batch === null || !mempool.includes(batch)) {
      transactions += 1
      const hash = hashOf(transactions)
      const mineAt = now().getTime() + 3_000
      batch = { hash, authorizations: [], by, mineAt }
      mempool.push(batch)
    }
    batch.authorizations.push(authorization)
    return batch.hash
  }

  function find(query: Pick<TransferQuery, 'payer' | 'nonce'>): Spend | undefined {
    mine()
    return spends.get(keyOf(query.payer, query.nonce))
  }

  const found = ({ hash, logIndex, block, blockTime }: Spend): FoundTransfer => ({
    transaction: hash,
    logIndex,
    blockTime,
    confirmations: head.number - block + 1,
  })

  const pays = (spend: Spend, query: TransferQuery): boolean =>
    spend.kind === 'transferred' && spend.to === query.payTo.toLowerCase() && spend.value === query.amount

  return {
    submit,
    submitInBatch,
    isWaiting: ({ from, nonce }: Authorization): boolean =>
      mempool.some(({ authorizations }) =>
        authorizations.some((other) => keyOf(other.from, other.nonce) === keyOf(from, nonce)),
      ),
    find,
    headTime(): Date {
      mine()
      return new Date(head.timeMs)
    },
    outcomeOf(query: TransferQuery, since: Date, until: Date): AuthorizationOutcome {
      const spend = find(query)
      if (spend === undefined || spend.blockTime < since || spend.blockTime > until) return { kind: 'not_found' }
      if (spend.kind === 'cancelled') return { kind: 'cancelled' }
      return pays(spend, query) ? { kind: 'transferred', ...found(spend) } : { kind: 'elsewhere' }
    },
    transferIn(query: TransferQuery, hash: Hex): FoundTransfer | null {
      const spend = find(query)
      return spend !== undefined && spend.hash === hash && pays(spend, query) ? found(spend) : null
    },
    /** Whether a transaction was mined and reverted. */
    isReverted(hash: Hex): boolean {
      mine()
      return reverted.has(hash)
    },
    isRefused: ({ from, nonce }: Authorization): boolean => refusing.has(keyOf(from, nonce)),
    /** From now on the payer's wallet refuses this authorization in every block. */
    refuse: ({ from, nonce }: Authorization): void => void refusing.add(keyOf(from, nonce)),
    /** The payer takes an authorization back. */
    cancel({ from, nonce, to, validBefore }: Authorization): boolean {
      mine()
      if (isStalled || spends.has(keyOf(from, nonce))) return false
      transactions += 1
      logs += 1
      head = { ...head, number: head.number + 1 }
      const sealed = seal(hashOf(transactions), { kind: 'stranger' })
      spends.set(keyOf(from, nonce), { kind: 'cancelled', ...sealed, to, value: 0n, validBefore })
      return true
    },
    stall(): void {
      mine()
      isStalled = true
    },
    /** Blocks continue: with the present time, or with times right after the last block's. */
    resume(late: boolean): void {
      if (isStalled && late) {
        head = { ...head, timeMs: Math.max(head.timeMs, earliestMs) }
        lagMs = now().getTime() - head.timeMs
      }
      if (isStalled && !late) head = { number: head.number + 1, timeMs: now().getTime() }
      isStalled = false
      mine()
    },
    /** No block of a transfer that is signed from now on is older: clocks differ by less than half a minute. */
    expect(): void {
      mine()
      earliestMs = now().getTime()
      if (!isStalled) head = { ...head, timeMs: Math.max(head.timeMs, earliestMs) }
      if (!isStalled) lagMs = 0
    },
    /** Block times are the wall clock's again. */
    catchUp(): void {
      mine()
      isStalled = false
      lagMs = 0
      head = { number: head.number + 1, timeMs: now().getTime() }
      mine()
    },
  }
}

export type Ledger = ReturnType<typeof makeLedger>
