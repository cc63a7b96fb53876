import type { Network, Result } from '../network.ts'
import type { PaymentPayload, PaymentRequirements } from '../request.ts'
import type { Settlement, TransactionId } from '../store/store.ts'
import type { Verifier, VerifyAnswer } from './verifier.ts'

export interface SettleAnswer {
  success: boolean
  errorReason?: string
  errorMessage?: string
  transaction: string
  network: string
  payer: string
}

/** A network and what verifies its payments. */
export interface Chain {
  network: Network
  verifier: Verifier
}

/** The input of one call. */
export interface Ask {
  chain: Chain
  settlement: Settlement
  payload: PaymentPayload
  requirements: PaymentRequirements
}

export const FAILED = 'invalid_exact_evm_transaction_failed'
const SIMULATION_FAILED = 'invalid_exact_evm_transaction_simulation_failed'
export const NONCE_USED = 'invalid_exact_evm_nonce_already_used'
const NOT_VALID_YET = 'invalid_exact_evm_payload_authorization_valid_after'
const PENDING = 'settlement_pending'

export function no({ payload }: Pick<Ask, 'payload'>, errorReason: string, errorMessage?: string): SettleAnswer {
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
export const duplicate = (ask: Pick<Ask, 'payload'>): SettleAnswer => no(ask, 'duplicate_settlement')

/**
 * The token requires a `validAfter` before the block's time; the library only requires that it is not after this clock's time.
 * In between the simulation fails, and this returns the reason that names the field.
 */
export async function precise({ network }: Chain, { payload }: PaymentPayload, reason: string | undefined) {
  if (reason !== SIMULATION_FAILED) return reason
  const blockTime = await network.blockTime().catch(() => null)
  return blockTime !== null && BigInt(payload.authorization.validAfter) >= blockTime ? NOT_VALID_YET : reason
}

/** An answer, and the transaction whose entry is not needed any more once it was sent. */
export interface SettleReply {
  answer: SettleAnswer
  of?: TransactionId
}

/** The answer to the caller for an outcome; null for one that must be checked alone. */
export async function replyForOutcome(
  ask: Pick<Ask, 'payload' | 'settlement'> & { chain: { network: Pick<Network, 'isUsed'> } },
  { kind, hash, id }: Result,
): Promise<SettleReply | null> {
  const { accepted, payload } = ask.payload
  const facts = { transaction: hash, network: accepted.network, payer: payload.authorization.from }
  if (kind === 'settled') return { answer: { success: true, ...facts }, of: id }
  const pending = (errorMessage: string): SettleReply => ({
    answer: { success: false, errorReason: PENDING, errorMessage, ...facts },
  })
  if (kind === 'pending') return pending('no receipt in time')
  if (kind === 'failed') return null
  // A transfer that another transaction made is not refused: the chain knows it. While it cannot be read, nothing is said.
  const isUsed = await ask.chain.network.isUsed(ask.settlement).catch(() => null)
  if (isUsed === null) return pending(`the transaction ${hash} reverted, and the chain cannot be read`)
  // x402: the hash is empty when the settlement failed. A reverted transaction moves nothing, now or later.
  return { answer: no(ask, isUsed ? NONCE_USED : FAILED, `the transaction ${hash} reverted`), of: id }
}

export async function invalid(ask: Ask, { invalidReason }: VerifyAnswer): Promise<SettleReply> {
  return { answer: no(ask, (await precise(ask.chain, ask.payload, invalidReason)) ?? SIMULATION_FAILED) }
}
