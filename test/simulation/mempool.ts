import type { Hex } from 'viem'
import type { Authorization } from '../../worker/x402/schemas.ts'

/** Our facilitator, for a caller at a moment, or a stranger who saw the authorization. */
export type Submitter =
  | {
      kind: 'facilitator'
      caller: number | undefined
      moment: number
      /** It answered that nothing was sent. */
      answeredNo?: boolean
    }
  | { kind: 'stranger' }

/** A signed transfer on its way to the token. */
export interface Transaction {
  hash: Hex
  authorizations: Authorization[]
  by: Submitter
  /** Not in a block before this time. */
  mineAt: number
}

const BATCH_DELAY_MS = 3_000

export const nonceKey = (payer: string, nonce: string): string => `${payer}:${nonce}`.toLowerCase()
const hashOf = (count: number): Hex => `0x${count.toString(16).padStart(64, '0')}`

/** The transactions that wait for a block. */
export function makeMempool(now: () => Date) {
  let waiting: Transaction[] = []
  let batch: Transaction | null = null
  let transactions = 0

  function nextHash(): Hex {
    transactions += 1
    return hashOf(transactions)
  }

  return {
    nextHash,
    /** A transaction with an infinite delay is dropped by the network and leaves nothing behind. */
    submit(authorization: Authorization, by: Submitter, delayMs: number): Hex {
      const hash = nextHash()
      const mineAt = now().getTime() + delayMs
      if (delayMs !== Infinity) waiting.push({ hash, authorizations: [authorization], by, mineAt })
      return hash
    },
    /** Joins the transaction that settles several at once; it is mined a little later. */
    submitInBatch(authorization: Authorization, by: Submitter): Hex {
      if (batch === null || !waiting.includes(batch)) {
        batch = { hash: nextHash(), authorizations: [], by, mineAt: now().getTime() + BATCH_DELAY_MS }
        waiting.push(batch)
      }
      batch.authorizations.push(authorization)
      return batch.hash
    },
    /** Removes and returns what may be mined now. */
    takeRipe(): Transaction[] {
      const ripe = waiting.filter(({ mineAt }) => mineAt <= now().getTime())
      waiting = waiting.filter((transaction) => !ripe.includes(transaction))
      return ripe
    },
    isWaiting: ({ from, nonce }: Authorization): boolean =>
      waiting.some(({ authorizations }) =>
        authorizations.some((other) => nonceKey(other.from, other.nonce) === nonceKey(from, nonce)),
      ),
  }
}
