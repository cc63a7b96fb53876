import { listPayments } from '../../db/queries/admin.ts'
import { findPayment, makeDue, rerunFailed, resolveOwed } from '../../db/queries/operator.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import { type ChainCheckDeps, readChain } from '../../worker/domain/purchase/recovery/chain-check.ts'
import { refundOf } from '../../worker/domain/purchase/views/present.ts'
import { ChainUnavailable } from '../../worker/upstreams/chain/chain.ts'
import type { PaymentsCommand } from './flags.ts'
import type { Journal } from './journal.ts'
import { listing, paymentView, readableView, recordView, table } from './view.ts'

export interface PaymentsResult {
  text: string
  /** False when it was not done, with the reason in the text. */
  ok: boolean
}

/** Runs one command of the operator. */
export async function runPayments(journal: Journal, flags: PaymentsCommand): Promise<PaymentsResult> {
  switch (flags.command) {
    case 'list':
      return list(journal, flags)
    case 'show':
      return show(journal, flags)
    case 'retry':
      return report(flags, await retry(journal, flags.id))
    case 'resolve':
      return report(flags, await resolve(journal, flags.id, flags.note))
  }
}

type Flags<Command> = PaymentsCommand & { command: Command }

/** By this long after its authorization expired, the service has read from the chain whether a payment was made. */
const DECIDED_AFTER_MS = 3_600_000

async function list({ database, local, now }: Journal, flags: Flags<'list'>): Promise<PaymentsResult> {
  const { state, stuck, limit, filter } = flags
  const expiry = stuck ? { expiredBefore: new Date(now().getTime() - DECIDED_AFTER_MS) } : {}
  const payments = await listPayments(database, state, { limit, before: null, ...filter, ...expiry })
  const text = flags.json ? JSON.stringify({ payments: payments.map(paymentView) }) : table(payments, local)
  return { text, ok: true }
}

async function show(journal: Journal, { id, json }: Flags<'show' | 'retry'>): Promise<PaymentsResult> {
  const { database, local } = journal
  const found = await findPayment(database, id)
  if (found === null) return report({ json }, NOT_FOUND)
  const record = recordView(found.record)
  const view = json ? paymentView(found.payment) : readableView(found.payment, local)
  const facts = { ...view, record, chain: await chainView(journal, found.payment) }
  return { text: json ? JSON.stringify(facts) : listing(facts), ok: true }
}

/** The action taken on a payment, or why there was none. */
interface Outcome {
  payment: Payment | null
  done: boolean
  words: string
}

const NOT_FOUND: Outcome = { payment: null, done: false, words: 'There is no payment with this ID.' }

function report({ json }: { json: boolean }, { payment, done, words }: Outcome): PaymentsResult {
  if (!json) return { text: words, ok: done }
  return { text: JSON.stringify({ done, detail: words, payment: payment && paymentView(payment) }), ok: done }
}

async function retry({ database, now }: Journal, id: string): Promise<Outcome> {
  const rerun = await rerunFailed(database, id, now())
  if (rerun !== null) return { payment: rerun, done: true, words: 'The next scheduled job runs it again.' }
  const due = await makeDue(database, id, now())
  if (due !== null) return { payment: due, done: true, words: 'The next scheduled job looks at it.' }
  const found = await findPayment(database, id)
  return found === null ? NOT_FOUND : { payment: found.payment, done: false, words: whyNot(found.payment) }
}

function whyNot({ state, resolvedAt, resolution, leaseUntil }: Payment): string {
  if (state === 'done') return 'It is done: there is nothing to retry.'
  if (state !== 'owed') return `It is being worked on, until ${leaseUntil?.toISOString()} at the latest.`
  if (resolvedAt !== null) return `It was refunded (${resolution}) and is not run again.`
  return 'Its run succeeded, but the output was lost or refused. Another run would be a second one for this payment: refund it, then resolve it.'
}

function notedWords(payment: Payment): string {
  const transaction = refundOf(payment)?.transaction ?? null
  if (transaction === null) return 'Noted. The note has no transaction hash: the buyer sees the refund without one.'
  return `Noted. The buyer sees the refund with its transaction ${transaction}.`
}

async function resolve({ database, now }: Journal, id: string, note: string): Promise<Outcome> {
  const resolved = await resolveOwed(database, id, note, now())
  if (resolved !== null) return { payment: resolved, done: true, words: notedWords(resolved) }
  const found = await findPayment(database, id)
  if (found === null) return NOT_FOUND
  const { payment } = found
  const words =
    payment.resolvedAt === null
      ? `It is ${payment.state}, not owed: there is nothing to refund.`
      : `A refund was noted at ${payment.resolvedAt.toISOString()}: ${payment.resolution}`
  return { payment, done: false, words }
}

/**
 * The chain's state of a payment now, in words. It is the check that the service decides by, so it is the evidence for a refund
 * too. Changes nothing.
 */
async function chainView(deps: ChainCheckDeps, payment: Payment): Promise<string> {
  try {
    const check = await readChain(deps, payment)
    switch (check.kind) {
      case 'paid': {
        const { transaction, blockTime, confirmations } = check.transfer
        return `paid by ${transaction} at ${blockTime.toISOString()}, ${confirmations} deep`
      }
      case 'unpaid':
        return UNPAID[check.reason]
      case 'expired':
        return 'unspent and expired: it can never be paid'
      case 'open':
        return check.mayStillBePaid ? 'unspent: it may still be paid until it expires' : tooYoung(deps)
    }
  } catch (error) {
    if (error instanceof ChainUnavailable) return `cannot be read: ${error.message}`
    throw error
  }
}

const UNPAID = {
  authorization_cancelled: 'cancelled by the payer: not paid',
  authorization_already_used: 'spent, but not by a transfer for this claim: not paid',
} as const

const tooYoung = ({ config }: ChainCheckDeps): string =>
  `paid, but not ${config.minConfirmations} deep yet: the service does not count it so far`
