import type { Hex } from 'viem'
import type { AuthorizationOutcome, FoundTransfer, TransferQuery } from '../../worker/upstreams/chain/chain.ts'
import type { Authorization } from '../../worker/x402/schemas.ts'
import { makeBlocks } from './blocks.ts'
import { makeMempool, type Submitter } from './mempool.ts'
import { makeSpends, type Spend } from './spends.ts'

/**
 * One token on one chain with its own clock: blocks may stop, and continue with times far behind the wall clock. A nonce is
 * spent once, by the first transaction that is mined. One that has expired by its block's time moves nothing.
 */
export function makeLedger(now: () => Date) {
  const blocks = makeBlocks(now)
  const mempool = makeMempool(now)
  const spends = makeSpends(blocks)

  /** Makes the blocks that are due, with what waits in the mempool. */
  function mine(): void {
    if (blocks.isStalled()) return
    for (const transaction of mempool.takeRipe()) {
      blocks.addFor(transaction.mineAt)
      spends.apply(transaction)
    }
    blocks.addDue()
  }

  return {
    ...makeReads(mine, blocks, spends),
    submitInBatch: mempool.submitInBatch,
    isWaiting: mempool.isWaiting,
    isRefused: spends.isRefused,
    refuse: spends.refuse,
    submit(authorization: Authorization, by: Submitter, delayMs: number): Hex {
      const hash = mempool.submit(authorization, by, delayMs)
      mine()
      return hash
    },
    /** The payer takes an authorization back. */
    cancel(authorization: Authorization): boolean {
      mine()
      if (blocks.isStalled() || spends.find(authorization.from, authorization.nonce) !== undefined) return false
      blocks.addNow()
      spends.cancel(authorization, mempool.nextHash())
      return true
    },
    stall(): void {
      mine()
      blocks.stall()
    },
    resume(late: boolean): void {
      blocks.resume(late)
      mine()
    },
    /** No block of a transfer that is signed from now on is older: clocks differ by less than half a minute. */
    expect(): void {
      mine()
      blocks.startNow()
    },
    catchUp(): void {
      mine()
      blocks.catchUp()
      mine()
    },
  }
}

export type Ledger = ReturnType<typeof makeLedger>

/** The answer of a node, after the blocks that are due. */
function makeReads(mine: () => void, blocks: ReturnType<typeof makeBlocks>, spends: ReturnType<typeof makeSpends>) {
  function find({ payer, nonce }: Pick<TransferQuery, 'payer' | 'nonce'>): Spend | undefined {
    mine()
    return spends.find(payer, nonce)
  }

  const found = ({ hash, logIndex, block, blockTime }: Spend): FoundTransfer => ({
    transaction: hash,
    logIndex,
    blockTime,
    confirmations: blocks.head().number - block + 1,
  })

  return {
    find,
    headTime(): Date {
      mine()
      return new Date(blocks.head().timeMs)
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
    /** True if a transaction was mined and reverted. */
    isReverted(hash: Hex): boolean {
      mine()
      return spends.isReverted(hash)
    },
  }
}

const pays = (spend: Spend, query: TransferQuery): boolean =>
  spend.kind === 'transferred' && spend.to === query.payTo.toLowerCase() && spend.value === query.amount
