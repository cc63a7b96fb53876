import { isAddressEqual } from 'viem'
import { batchEntry, hasPlainSignature, paymentCall } from '../chain/payment-call.ts'
import { AlreadyStored, SendUnclear, WouldFail } from '../chain/send-errors.ts'
import { NotAdmitted } from '../gas/admission.ts'
import { reasonOf } from '../log.ts'
import type { SentTransaction, SettlementStore } from '../store/store.ts'
import {
  type Ask,
  duplicate,
  FAILED,
  invalid,
  NONCE_USED,
  no,
  replyForOutcome,
  type SettleReply,
} from './settle-answers.ts'

/** The answer to a payment, whether it is in a transaction already or not. */
export async function answerTo(store: SettlementStore, ask: Ask): Promise<SettleReply> {
  const sent = await store.find(ask.settlement.key)
  if (sent !== null) return settleStored(store, ask, sent)
  try {
    return await settleNew(ask)
  } catch (error) {
    const other = error instanceof AlreadyStored ? await store.find(ask.settlement.key) : null
    if (other === null) throw error
    return settleStored(store, ask, other)
  }
}

/** The answer to a payment that is in a transaction already. */
async function settleStored(store: SettlementStore, ask: Ask, sent: SentTransaction): Promise<SettleReply> {
  const { settlement, payload, requirements, chain } = ask
  const entry = sent.entries.find(({ key }) => key === settlement.key)
  const { to } = payload.payload.authorization
  const isAsked = settlement.value === BigInt(requirements.amount) && isAddressEqual(to, requirements.payTo)
  if (entry?.signature !== settlement.signature) return { answer: duplicate(ask) }
  if (!isAsked) return invalid(ask, await chain.verifier.verify(payload, requirements))
  const reply = await replyForOutcome(ask, await chain.network.outcome(entry, sent))
  if (reply !== null) return reply
  await store.forget(settlement.key, sent)
  return settleAlone(ask)
}

/**
 * The answer to a payment that is not stored yet. Of a payer without code the signature is checked by the token itself, in the
 * simulation of the whole transaction: recovering it here would cost as much as all else.
 */
async function settleNew(ask: Ask): Promise<SettleReply> {
  const { chain, settlement, payload, requirements } = ask
  const code = await chain.network.codeOf(settlement.payer)
  const isPlain = code === '0x' && hasPlainSignature(payload.payload) && chain.verifier.fits(payload, requirements)
  const valid = isPlain ? null : await chain.verifier.verify(payload, requirements)
  if (valid?.isValid === false) return invalid(ask, valid)
  return (await send(ask, code !== '0x', false)) ?? settleAlone(ask)
}

/** A payment that failed among others, or would: the library says why. Where it finds nothing wrong, it is sent once more, alone. */
async function settleAlone(ask: Ask): Promise<SettleReply> {
  const { chain, settlement, payload, requirements } = ask
  const code = await chain.network.codeOf(settlement.payer)
  const valid = await chain.verifier.verify(payload, requirements)
  if (!valid.isValid) return invalid(ask, valid)
  // It failed since then: the reason is there now.
  return (await send(ask, code !== '0x', true)) ?? invalid(ask, await chain.verifier.verify(payload, requirements))
}

/** Null when the payment must be checked alone; it is in no transaction then. */
async function send(ask: Ask, hasCode: boolean, isAlone: boolean): Promise<SettleReply | null> {
  const { chain, settlement, payload, requirements } = ask
  const call = paymentCall(requirements.asset, payload.payload)
  try {
    const entry = batchEntry(requirements.asset, payload.payload)
    const result = await chain.network.settle({ settlement, call, entry, hasCode, isAlone })
    const reply = await replyForOutcome(ask, result)
    if (reply === null) await chain.network.store.forget(settlement.key, result.id)
    return reply
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
