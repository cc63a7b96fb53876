import { type Hex, isAddressEqual } from 'viem'
import { NotAdmitted } from './admission.ts'
import { type Log, reasonOf } from './log.ts'
import type { Network, Result } from './network.ts'
import { paymentCall } from './payment-call.ts'
import type { PaymentPayload, PaymentRequirements } from './request.ts'
import { AlreadyStored, SendUnclear, WouldFail } from './send-errors.ts'
import type { SentTransaction, Settlement, SettlementStore, TransactionId } from './store.ts'
import type { Verifier, VerifyAnswer } from './verifier.ts'

export interface SettleAnswer {
  success: boolean
  errorReason?: string
  errorMessage?: string
  transaction: string
  network: string
  payer: string
}

export interface Settled {
  answer: SettleAnswer
  /** Call it once, when the answer has been sent or its caller has disconnected. It removes the entry if the answer was sent. */
  release(isSent: boolean): Promise<void>
}

/** A network and what verifies its payments. */
export interface Chain {
  network: Network
  verifier: Verifier
}

/** What a caller brings, for one call. */
interface Ask {
  chain: Chain
  settlement: Settlement
  payload: PaymentPayload
  requirements: PaymentRequirements
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

function no({ payload }: Pick<Ask, 'payload'>, errorReason: string, errorMessage?: string): SettleAnswer {
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
const duplicate = (ask: Pick<Ask, 'payload'>): SettleAnswer => no(ask, 'duplicate_settlement')

const FAILED = 'invalid_exact_evm_transaction_failed'
const SIMULATION_FAILED = 'invalid_exact_evm_transaction_simulation_failed'
const NONCE_USED = 'invalid_exact_evm_nonce_already_used'
const NOT_VALID_YET = 'invalid_exact_evm_payload_authorization_valid_after'
const PENDING = 'settlement_pending'

/**
 * The token requires a `validAfter` before the block's time; the library only requires that it is not after this clock's time.
 * In between the simulation fails, and this returns the reason that names the field.
 */
async function precise({ network }: Chain, { payload }: PaymentPayload, reason: string | undefined) {
  if (reason !== SIMULATION_FAILED) return reason
  const blockTime = await network.blockTime().catch(() => null)
  return blockTime !== null && BigInt(payload.authorization.validAfter) >= blockTime ? NOT_VALID_YET : reason
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

/** An answer, and the transaction whose entry is not needed any more once it was sent. */
interface Said {
  answer: SettleAnswer
  of?: TransactionId
}

/** What an outcome says to the caller; null for one that must be checked alone. */
async function sayOutcome(ask: Ask, { kind, hash, id }: Result): Promise<Said | null> {
  const { accepted, payload } = ask.payload
  const facts = { transaction: hash, network: accepted.network, payer: payload.authorization.from }
  if (kind === 'settled') return { answer: { success: true, ...facts }, of: id }
  if (kind === 'pending') {
    return { answer: { success: false, errorReason: PENDING, errorMessage: 'no receipt in time', ...facts } }
  }
  if (kind === 'failed') return null
  // A transfer that another transaction made is not refused: the chain knows it.
  const isUsed = await ask.chain.network.isUsed(ask.settlement).catch(() => false)
  // x402: the hash is empty when the settlement failed. A reverted transaction moves nothing, now or later.
  return { answer: no(ask, isUsed ? NONCE_USED : FAILED, `the transaction ${hash} reverted`), of: id }
}

/** The answer to a payment that is not stored yet. */
async function settleNew(ask: Ask): Promise<Said> {
  const { chain, settlement, payload, requirements } = ask
  const code = await chain.network.codeOf(settlement.payer)
  const valid = await chain.verifier.verifyFrom(code, payload, requirements)
  if (!valid.isValid) return invalid(ask, valid)
  return (await send(ask, code !== '0x', false)) ?? settleAlone(ask)
}

/** A payment that failed among others, or would: the library says why. Where it finds nothing wrong, it is sent once more, alone. */
async function settleAlone(ask: Ask): Promise<Said> {
  const { chain, settlement, payload, requirements } = ask
  const code = await chain.network.codeOf(settlement.payer)
  const valid = await chain.verifier.verify(payload, requirements)
  if (!valid.isValid) return invalid(ask, valid)
  // It failed since then: the reason is there now.
  return (await send(ask, code !== '0x', true)) ?? invalid(ask, await chain.verifier.verify(payload, requirements))
}

async function invalid(ask: Ask, { invalidReason }: VerifyAnswer): Promise<Said> {
  return { answer: no(ask, (await precise(ask.chain, ask.payload, invalidReason)) ?? SIMULATION_FAILED) }
}

/** Null when the payment must be checked alone; it is in no transaction then. */
async function send(ask: Ask, hasCode: boolean, isAlone: boolean): Promise<Said | null> {
  const { chain, settlement, payload, requirements } = ask
  const call = paymentCall(requirements.asset, payload.payload)
  try {
    const result = await chain.network.settle({ settlement, call, hasCode, isAlone })
    const said = await sayOutcome(ask, result)
    if (said === null) await chain.network.store.forget(settlement.key, result.id)
    return said
  } catch (error) {
    if (error instanceof SendUnclear || error instanceof AlreadyStored) throw error
    // Meanwhile another process may have sent it.
    if ((await chain.network.store.find(settlement.key)) !== null) throw new AlreadyStored()
    if (error instanceof WouldFail) return null
    if (error instanceof NotAdmitted) return { answer: no(ask, error.reason) }
    // Nothing was stored, or the node refused it for good. An earlier transaction may have paid.
    const isUsed = await chain.network.isUsed(settlement)
    return { answer: no(ask, isUsed ? NONCE_USED : FAILED, reasonOf(error)) }
  }
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

  /** The answer to a payment that is in a transaction already. */
  async function settleStored(ask: Ask, sent: SentTransaction): Promise<Said> {
    const { settlement, payload, requirements, chain } = ask
    const entry = sent.entries.find(({ key }) => key === settlement.key)
    const { to } = payload.payload.authorization
    const isAsked = settlement.value === BigInt(requirements.amount) && isAddressEqual(to, requirements.payTo)
    if (entry?.signature !== settlement.signature) return { answer: duplicate(ask) }
    if (!isAsked) return invalid(ask, await chain.verifier.verify(payload, requirements))
    const said = await sayOutcome(ask, await chain.network.outcome(entry, sent))
    if (said !== null) return said
    await store.forget(settlement.key, sent)
    return settleAlone(ask)
  }

  async function answerTo(ask: Ask): Promise<Said> {
    const sent = await store.find(ask.settlement.key)
    if (sent !== null) return settleStored(ask, sent)
    try {
      return await settleNew(ask)
    } catch (error) {
      const other = error instanceof AlreadyStored ? await store.find(ask.settlement.key) : null
      if (other === null) throw error
      return settleStored(ask, other)
    }
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
        const { answer, of } = await answerTo(ask)
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
