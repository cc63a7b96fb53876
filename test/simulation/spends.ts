import type { Hex } from 'viem'
import type { Authorization } from '../../worker/x402/schemas.ts'
import type { Blocks } from './blocks.ts'
import { nonceKey, type Submitter, type Transaction } from './mempool.ts'

/** The event that spent a nonce. */
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

/** The token's nonces. Each is spent once, by the first transaction in a block. */
export function makeSpends(blocks: Blocks) {
  const spends = new Map<string, Spend>()
  /** Authorizations whose wallet accepts the signature in every check and refuses it in a block. */
  const refusing = new Set<string>()
  const reverted = new Set<Hex>()
  let logs = 0

  const place = (hash: Hex, by: Submitter) => {
    const { number, timeMs } = blocks.head()
    return { hash, logIndex: logs, block: number, blockTime: new Date(timeMs), by }
  }
  const find = (payer: string, nonce: string): Spend | undefined => spends.get(nonceKey(payer, nonce))
  const isExpired = (validBefore: string): boolean => blocks.head().timeMs >= Number(validBefore) * 1000

  return {
    find,
    isReverted: (hash: Hex): boolean => reverted.has(hash),
    isRefused: ({ from, nonce }: Authorization): boolean => refusing.has(nonceKey(from, nonce)),
    /** From now on the payer's wallet refuses this authorization in every block. */
    refuse: ({ from, nonce }: Authorization): void => void refusing.add(nonceKey(from, nonce)),
    /** A transaction whose one transfer fails is reverted; of several transfers, the ones that fail are left out. */
    apply({ authorizations, hash, by }: Transaction): void {
      for (const { from, nonce, to, value, validBefore } of authorizations) {
        logs += 2
        const key = nonceKey(from, nonce)
        if (spends.has(key) || refusing.has(key) || isExpired(validBefore)) {
          if (authorizations.length === 1) reverted.add(hash)
          continue
        }
        const transfer = { to: to.toLowerCase(), value: BigInt(value), validBefore }
        spends.set(key, { kind: 'transferred', ...place(hash, by), ...transfer })
      }
    },
    cancel({ from, nonce, to, validBefore }: Authorization, hash: Hex): void {
      logs += 1
      const sealed = place(hash, { kind: 'stranger' })
      spends.set(nonceKey(from, nonce), { kind: 'cancelled', ...sealed, to, value: 0n, validBefore })
    },
  }
}
