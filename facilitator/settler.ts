import type { PendingSettlementStore } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import type { Hex } from 'viem'
import { isAddressEqual } from 'viem/utils'
import { NotAdmitted } from './admission.ts'
import type { Attempt, ChainAccount } from './chain-account.ts'
import { type Log, reasonOf } from './log.ts'
import type { PaymentPayload, PaymentRequirements } from './request.ts'
import type { Settlement, SettlementStore } from './store.ts'

type VerifyAnswer = Awaited<ReturnType<ExactEvmScheme['verify']>>
type SettleAnswer = Awaited<ReturnType<ExactEvmScheme['settle']>>

export interface Settled {
  answer: SettleAnswer
  /** Call it once, when the answer has been sent or its caller has disconnected. It removes the entry if the answer was sent. */
  release(isSent: boolean): Promise<void>
}

export interface Settler {
  verify(account: ChainAccount, payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyAnswer>
  /** Throws when nothing is known; every answer that it returns is true. */
  settle(account: ChainAccount, payload: PaymentPayload, requirements: PaymentRequirements): Promise<Settled>
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

function no(payload: PaymentPayload, errorReason: string, errorMessage?: string): SettleAnswer {
  const { accepted, payload: exact } = payload
  const answer = {
    success: false,
    errorReason,
    transaction: '',
    network: accepted.network,
    payer: exact.authorization.from,
  }
  return errorMessage === undefined ? answer : { ...answer, errorMessage }
}

/** Another settlement of the same authorization is open. Its outcome belongs to its own caller. */
const duplicate = (payload: PaymentPayload): SettleAnswer => no(payload, 'duplicate_settlement')

/** The x402 reason for which budget or balance refuse a payment; null when they do not. */
async function refusalOf(account: ChainAccount, attempt: Attempt): Promise<string | null> {
  try {
    await account.check(attempt)
    return null
  } catch (error) {
    if (error instanceof NotAdmitted) return error.reason
    throw error
  }
}

const SIMULATION_FAILED = 'invalid_exact_evm_transaction_simulation_failed'
const NOT_VALID_YET = 'invalid_exact_evm_payload_authorization_valid_after'

/**
 * The token requires a `validAfter` before the block's time; the library only requires that it is not after this clock's time.
 * In between the simulation fails, and this returns the reason that names the field.
 */
async function precise(account: ChainAccount, { payload }: PaymentPayload, reason: string | undefined) {
  if (reason !== SIMULATION_FAILED) return reason
  const blockTime = await account.blockTime().catch(() => null)
  return blockTime !== null && BigInt(payload.authorization.validAfter) >= blockTime ? NOT_VALID_YET : reason
}

async function verify(account: ChainAccount, payload: PaymentPayload, requirements: PaymentRequirements) {
  const attempt: Attempt = { settlement: settlementOf(payload, requirements), maySend: false }
  const refusal = await refusalOf(account, attempt)
  const payer = payload.payload.authorization.from
  if (refusal !== null) return { isValid: false, invalidReason: refusal, payer }
  const answer = await new ExactEvmScheme(account.signerFor(attempt)).verify(payload, requirements)
  if (answer.isValid) return answer
  const invalidReason = await precise(account, payload, answer.invalidReason)
  return invalidReason === undefined ? answer : { ...answer, invalidReason }
}

async function settleWith(
  store: SettlementStore,
  account: ChainAccount,
  attempt: Attempt,
  ...[payload, requirements]: [PaymentPayload, PaymentRequirements]
): Promise<SettleAnswer> {
  const { key, signature, value } = attempt.settlement
  const sent = await store.find(key)
  if (sent !== null && sent.signature !== signature) return duplicate(payload)
  const { to } = payload.payload.authorization
  const isAsked = value === BigInt(requirements.amount) && isAddressEqual(to, requirements.payTo)
  const pendingSettlementStore: PendingSettlementStore = {
    get: async () => (isAsked ? sent?.hash : undefined),
    // The library stores after the wait and forgets before it, which would not survive a crash in between.
    set: async () => undefined,
    delete: async () => undefined,
  }
  const scheme = new ExactEvmScheme(account.signerFor(attempt), { simulateInSettle: true, pendingSettlementStore })
  return outcomeOf(account, attempt, payload, await scheme.settle(payload, requirements))
}

async function outcomeOf(account: ChainAccount, attempt: Attempt, payload: PaymentPayload, answer: SettleAnswer) {
  const { refusal, unclear, mined } = attempt
  if (unclear !== undefined) throw unclear
  if (refusal !== undefined) return no(payload, refusal)
  // x402: the hash is empty when the settlement failed. A reverted transaction moves nothing, now or later.
  if (mined?.isReverted) {
    return no(payload, 'invalid_exact_evm_transaction_failed', `the transaction ${mined.hash} reverted`)
  }
  // The library names the hash it waited for; the mined one may be its replacement.
  if (mined !== undefined) return { ...answer, transaction: mined.hash }
  const errorReason = await precise(account, payload, answer.errorReason)
  return errorReason === undefined ? answer : { ...answer, errorReason }
}

/**
 * Verifies and settles through the x402 library. A transaction is stored before it is sent and forgotten after its answer was
 * sent: the caller that returns with the same payment after a crash or a lost answer gets its outcome, once, and no other does.
 */
export function makeSettler({ store, log }: { store: SettlementStore; log: Log }): Settler {
  const running = new Map<string, Promise<void>>()

  async function forget(key: string): Promise<void> {
    // Where this fails, age drops the entry.
    await store.forget(key).catch((error: unknown) => log('warn', 'forget.failed', { reason: reasonOf(error) }))
  }

  return {
    verify,
    async settle(account, payload, requirements) {
      const settlement = settlementOf(payload, requirements)
      const { key } = settlement
      if (running.has(key)) return { answer: duplicate(payload), release: async () => undefined }
      const { promise, resolve } = Promise.withResolvers<void>()
      running.set(key, promise)
      const end = (): void => {
        running.delete(key)
        resolve()
      }
      try {
        const attempt: Attempt = { settlement, maySend: true }
        const answer = await settleWith(store, account, attempt, payload, requirements)
        const isFinal = attempt.mined !== undefined && answer.errorReason !== 'settlement_pending'
        const release = (isSent: boolean) => (isSent && isFinal ? forget(key) : Promise.resolve()).finally(end)
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
