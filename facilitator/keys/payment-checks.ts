import type { Client, Hex } from 'viem'
import { call, getBlockNumber } from 'viem/actions'
import { type BatchEntry, batchCall, batchResults, type Call, gasBound } from '../chain/payment-call.ts'
import { isRevert, isWithoutFunds, KeyOut, WouldFail } from '../chain/send-errors.ts'
import { type Admission, NotAdmitted } from '../gas/admission.ts'
import type { Fees } from '../gas/fees.ts'
import type { Settlement, TransactionId } from '../store/store.ts'

/** A payment that passed every check that needs no turn. */
export interface Payment {
  settlement: Settlement
  /** The token's own call. */
  call: Call
  /** Sent through this contract, alone or with others; null where the token is called: then it is never sent with others. */
  batch: { contract: Hex; entry: BatchEntry } | null
  /** The payer has code, which decides on chain whether it pays: never sent with others. */
  hasCode: boolean
  /** Not to be sent with others. */
  isAlone: boolean
  /** The gas limit when it is sent alone. */
  gas: bigint
}

/** Each payment's transaction, or why it was not sent. */
export type Sent = Map<Payment, TransactionId | Error>

/** A payment that may be sent, and whether it counts against the trial budget. */
export interface Admitted {
  payment: Payment
  isTrial: boolean
}

export interface PaymentChecksOptions {
  client: Client
  /** The key that sends them. */
  account: { address: Hex }
  admission: Admission
}

/** The call of one transaction with these payments. Only those of the batch contract can be many. */
export function callOf(payments: readonly Payment[]): Call {
  const [first] = payments
  if (first === undefined) throw new Error('a transaction without payments')
  if (first.batch === null) return first.call
  return batchCall(
    first.batch.contract,
    payments.flatMap(({ batch }) => (batch === null ? [] : [batch.entry])),
  )
}

/** The gas limit of one transaction with these payments. */
export const limitOf = (payments: readonly Payment[]): bigint =>
  payments.length === 1 ? (payments[0]?.gas ?? 0n) : gasBound(payments.length)

/** One payment's part of the limit, rounded up. */
export const shareOf = (payments: readonly Payment[]): bigint =>
  (limitOf(payments) + BigInt(payments.length) - 1n) / BigInt(payments.length)

/** Which of these payments succeed at this block, one after the other, with the sender and the fees of their transaction. */
async function simulate(
  { client, account }: PaymentChecksOptions,
  payments: readonly Payment[],
  fees: Fees,
  blockNumber: bigint,
): Promise<boolean[]> {
  const sent = { account: account.address, ...callOf(payments), gas: limitOf(payments), ...fees, blockNumber }
  try {
    const { data = '0x' } = await call(client, sent)
    return payments[0]?.batch ? batchResults(data) : [true]
  } catch (error) {
    if (isWithoutFunds(error)) throw new KeyOut(account.address)
    if (isRevert(error)) return payments.map(() => false)
    throw error
  }
}

/**
 * Returns the payments that may be sent together. The others get their error in `sent`: what fails now, and what budget or balance
 * refuse.
 */
export async function checkPayments(
  options: PaymentChecksOptions,
  payments: readonly Payment[],
  fees: Fees,
  sent: Sent,
): Promise<Admitted[]> {
  const block = await getBlockNumber(options.client, { cacheTime: 0 })
  const succeeds = await simulate(options, payments, fees, block)
  const able = payments.filter((payment, index) => succeeds[index] || void sent.set(payment, new WouldFail()))
  if (able.length === 0) return []
  const applicants = able.map(({ settlement, hasCode }) => ({ settlement, hasCode, gas: shareOf(able) }))
  const decisions = await options.admission.admit(applicants, block)
  return able.flatMap((payment, index) => {
    const decision = decisions[index] ?? new NotAdmitted('unknown_payer')
    if (!(decision instanceof NotAdmitted)) return [{ payment, ...decision }]
    sent.set(payment, decision)
    return []
  })
}
