import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import { KeyOut } from '../chain/send-errors.ts'
import type { TransactionId } from '../store/store.ts'
import { type Key, type KeyOptions, makeKey } from './key.ts'
import type { Payment } from './payment-checks.ts'
import type { SigningKey } from './sender.ts'

export interface HeldKeysOptions extends Omit<KeyOptions, 'account'> {
  /** Every key of this network, also those that another process holds. */
  keys: readonly SigningKey[]
}

/** The keys of one network that this process sends with. */
export function makeHeldKeys(options: HeldKeysOptions) {
  const { network, keys, log } = options
  const held = new Map<Hex, Key>()

  return {
    /** Signs with this key from now on. */
    hold(address: Hex): void {
      const account = keys.find((key) => key.address === address)
      if (account === undefined) throw new Error(`${address} is not a key of ${network}`)
      if (!held.has(address)) held.set(address, makeKey({ ...options, account }))
    },
    /** Signs with it no more; resolves when nothing waits for it. */
    async drop(address: Hex): Promise<void> {
      const key = held.get(address)
      held.delete(address)
      await key?.empty()
    },
    isHeld: (address: Hex): boolean => held.has(address),
    list: (): Key[] => [...held.values()],
    /** Sends through the key that the payment belongs to, or through another one where that one cannot pay. */
    async submit(payment: Payment): Promise<TransactionId> {
      const tried = new Set<Key>()
      for (;;) {
        const key = choose([...held.values()], payment.settlement.key, tried)
        if (key === null) throw new Error('this process holds no key of this network')
        tried.add(key)
        try {
          return await key.submit(payment)
        } catch (error) {
          if (!(error instanceof KeyOut) || tried.size >= held.size) throw error
          log('warn', 'key.out', { network, address: key.address })
        }
      }
    },
  }
}

/**
 * The key of a payment: always the same one for the same authorization while the same keys are held. The least loaded one where
 * that one is out. Null when all were tried.
 */
function choose(keys: readonly Key[], payment: string, tried: ReadonlySet<Key>): Key | null {
  const left = keys.filter((key) => !tried.has(key))
  const rankOf = ({ address }: Key): string => createHash('sha256').update(`${payment} ${address}`).digest('hex')
  const ranks = keys.map((key) => ({ key, rank: rankOf(key) }))
  const own = ranks.toSorted((a, b) => (a.rank < b.rank ? -1 : 1))[0]?.key
  if (own !== undefined && left.includes(own) && !own.isOut()) return own
  const able = left.filter((key) => !key.isOut())
  return (able.length > 0 ? able : left).toSorted((a, b) => a.load() - b.load())[0] ?? null
}
