import type { PendingSettlementStore } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { isAddressEqual } from 'viem/utils'
import type { Attempt, ChainAccount } from './chain-account.ts'
import { type Log, reasonOf } from './log.ts'
import type { PaymentPayload, PaymentRequirements } from './request.ts'
import type { SettlementStore } from './store.ts'

type SettleAnswer = Awaited<ReturnType<ExactEvmScheme['settle']>>

export interface Settled {
  answer: SettleAnswer
  /** To be called once, when the answer has left or its caller has: only what was told is forgotten. */
  release(hasLeft: boolean): Promise<void>
}

export interface Settler {
  /** Throws when nothing is known; any answer it gives is true. */
  settle(account: ChainAccount, payload: PaymentPayload, requirements: PaymentRequirements): Promise<Settled>
  /** Resolves when no settlement is under way, or after `ms`. */
  idle(ms: number): Promise<void>
}

/** One authorization, whatever its signature looks like. */
function authorizationKey(payload: PaymentPayload, { network, asset }: PaymentRequirements): string {
  const { from, nonce } = payload.payload.authorization
  return [network, asset, from, nonce].join(' ').toLowerCase()
}

/** Somebody else's settlement of the same authorization is open; what becomes of it is theirs to hear. */
const duplicate = ({ payload }: PaymentPayload, { network }: PaymentRequirements): SettleAnswer => ({
  success: false,
  errorReason: 'duplicate_settlement',
  transaction: '',
  network,
  payer: payload.authorization.from,
})

/**
 * Settles through the x402 library. A transaction is written down before it leaves and forgotten after its answer has: whoever
 * comes back with the same payment after a crash or a lost answer is told its outcome, and nobody else is, and nobody twice.
 */
export function makeSettler({ store, log }: { store: SettlementStore; log: Log }): Settler {
  const underWay = new Map<string, Promise<void>>()

  async function forget(key: string): Promise<void> {
    // Where this fails, age drops the entry.
    await store.forget(key).catch((error: unknown) => log('warn', 'forget.failed', { reason: reasonOf(error) }))
  }

  async function run(
    account: ChainAccount,
    attempt: Attempt,
    ...[payload, requirements]: Parameters<typeof duplicate>
  ) {
    const sent = await store.find(attempt.key)
    if (sent !== null && sent.signature !== attempt.signature) return duplicate(payload, requirements)
    const { value, to } = payload.payload.authorization
    const isAsked = BigInt(value) === BigInt(requirements.amount) && isAddressEqual(to, requirements.payTo)
    const pendingSettlementStore: PendingSettlementStore = {
      get: async () => (isAsked ? sent?.hash : undefined),
      // The library writes down after the wait and forgets before it, which no kill in between would survive.
      set: async () => undefined,
      delete: async () => undefined,
    }
    const scheme = new ExactEvmScheme(account.signerFor(attempt), { simulateInSettle: true, pendingSettlementStore })
    const answer = await scheme.settle(payload, requirements)
    if (attempt.unclear !== undefined) throw attempt.unclear
    // The library names the hash it waited for; what was mined may be the same transaction at another price.
    return attempt.minedAs === undefined ? answer : { ...answer, transaction: attempt.minedAs }
  }

  return {
    async settle(account, payload, requirements) {
      const key = authorizationKey(payload, requirements)
      if (underWay.has(key)) return { answer: duplicate(payload, requirements), release: async () => undefined }
      const { promise, resolve } = Promise.withResolvers<void>()
      underWay.set(key, promise)
      const end = (): void => {
        underWay.delete(key)
        resolve()
      }
      try {
        const answer = await run(account, { key, signature: payload.payload.signature }, payload, requirements)
        const isFinal = answer.transaction !== '' && answer.errorReason !== 'settlement_pending'
        const release = (hasLeft: boolean) => (hasLeft && isFinal ? forget(key) : Promise.resolve()).finally(end)
        return { answer, release }
      } catch (error) {
        end()
        throw error
      }
    },
    async idle(ms) {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
      await Promise.race([Promise.all(underWay.values()), timeout])
    },
  }
}
