import type { Hex } from 'viem'
import { NotAdmitted } from '../gas/admission.ts'
import { type Log, reasonOf } from '../log.ts'
import type { PaymentPayload, PaymentRequirements } from '../request.ts'
import type { Settlement, SettlementStore, TransactionId } from '../store/store.ts'
import { type Ask, type Chain, duplicate, precise, type SettleAnswer } from './settle-answers.ts'
import { answerTo } from './settle-payment.ts'
import type { VerifyAnswer } from './verifier.ts'

export interface Settled {
  answer: SettleAnswer
  /** Call it once, when the answer has been sent or its caller has disconnected. It removes the entry if the answer was sent. */
  release(isSent: boolean): Promise<void>
}

export interface Settler {
  verify(chain: Chain, payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyAnswer>
  /** Throws when nothing is known; every answer that it returns is true. */
  settle(chain: Chain, payload: PaymentPayload, requirements: PaymentRequirements): Promise<Settled>
  /** Resolves when no settlement is running, or after `ms`. */
  idle(ms: number): Promise<void>
}

const lower = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`

function settlementOf({ payload }: PaymentPayload, { network, asset }: PaymentRequirements): Settlement {
  const { signature, authorization } = payload
  const { from, nonce, value } = authorization
  return {
    key: [network, asset, from, nonce].join(' ').toLowerCase(),
    network,
    asset: lower(asset),
    payer: lower(from),
    value: BigInt(value),
    signature,
  }
}

/** The x402 reason for which budget or balance refuse a payment; null when they do not. It does not check the signature. */
async function refusalOf({ network }: Chain, settlement: Settlement): Promise<string | null> {
  const hasCode = (await network.codeOf(settlement.payer)) !== '0x'
  const [decision] = await network.admission.admit([{ settlement, hasCode, gas: 0n }])
  return decision instanceof NotAdmitted ? decision.reason : null
}

async function verify(chain: Chain, payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyAnswer> {
  const refusal = await refusalOf(chain, settlementOf(payload, requirements))
  const payer = payload.payload.authorization.from
  if (refusal !== null) return { isValid: false, invalidReason: refusal, payer }
  const answer = await chain.verifier.verify(payload, requirements)
  if (answer.isValid) return answer
  const invalidReason = await precise(chain, payload, answer.invalidReason)
  return invalidReason === undefined ? answer : { ...answer, invalidReason }
}

/**
 * Verifies and settles. A transaction is stored before it is sent and forgotten after its answer was sent: the caller that returns
 * with the same payment after a crash or a lost answer gets its outcome, once, and no other does.
 */
export function makeSettler({ store, log }: { store: SettlementStore; log: Log }): Settler {
  const running = new Map<string, Promise<void>>()

  async function forget(settlement: Settlement, id: TransactionId): Promise<void> {
    // Where this fails, age drops the entry.
    await store
      .forget(settlement.key, id)
      .catch((error: unknown) => log('warn', 'forget.failed', { reason: reasonOf(error) }))
  }

  return {
    verify,
    async settle(chain, payload, requirements) {
      const ask: Ask = { chain, settlement: settlementOf(payload, requirements), payload, requirements }
      const { key } = ask.settlement
      if (running.has(key)) return { answer: duplicate(ask), release: async () => undefined }
      const { promise, resolve } = Promise.withResolvers<void>()
      running.set(key, promise)
      const end = (): void => {
        running.delete(key)
        resolve()
      }
      try {
        const { answer, of } = await answerTo(store, ask)
        const release = (isSent: boolean) =>
          (isSent && of !== undefined ? forget(ask.settlement, of) : Promise.resolve()).finally(end)
        return { answer, release }
      } catch (error) {
        end()
        throw error
      }
    },
    async idle(ms) {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
      await Promise.race([Promise.all(running.values()), timeout])
    },
  }
}
