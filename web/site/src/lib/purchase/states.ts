import type { Quote, RunEvent } from '@coinslot/client/buyer'
import type { Problem } from '@coinslot/client/problem'
import type { Fields } from '../../../../shared/shape.ts'
import type { Inference } from '../records/inference.ts'
import type { Task } from '../records/models.ts'
import type { KeptPayment } from './payment-store.ts'
import type { Progress } from './progress.ts'
import type { Notice } from './refusal.ts'

/** A person's request, made with the button. */
export interface RequestDraft {
  task: Task
  model: string
  modelName: string
  input: Fields
  estimatedSeconds: number
  /** The price on the button when it was pressed, in USDC. */
  shownUsdc: string
}

/** The offer that the dialog shows and the wallet signs, as one value. */
export interface QuoteSelection {
  quote: Quote
  /** Index into `quote.offers`. */
  chosen: number
  from: string
}

/** The request to the wallet: to change its network, or to sign. */
export type SigningStep = 'chain' | 'signature'

/** The money that a finished purchase took from its payer. `unsaid`: the service did not say, only the payer's history does. */
export type Charge = 'paid' | 'unpaid' | 'unsaid'

/** `walletMessage` is the wallet's own message that goes with a notice, or an empty string. */
export type Purchase =
  | { at: 'idle'; notice: Notice | null }
  /** The browser keeps neither cookies nor storage. A draft can be bought without them; signing in is impossible. */
  | { at: 'site_data_blocked'; draft: RequestDraft | null }
  | { at: 'wallet'; draft: RequestDraft | null; notice: Notice | null; walletMessage: string }
  | { at: 'sign_in'; draft: RequestDraft | null; waiting: boolean; notice: Notice | null; error: string | null }
  | { at: 'quoting'; draft: RequestDraft }
  | { at: 'review'; draft: RequestDraft; selection: QuoteSelection; notice: Notice | null; walletMessage: string }
  | { at: 'signing'; draft: RequestDraft; selection: QuoteSelection; step: SigningStep }
  | { at: 'paying'; payment: KeptPayment; progress: Progress; wait: Wait | null; draft: RequestDraft | null }
  | { at: 'other_tab'; payment: KeptPayment }
  /** The payment is kept, and its payer is not signed in. */
  | { at: 'awaiting_sign_in'; payer: string }
  /**
   * The purchase is over, and the wallet changed to another account meanwhile. Only the payer may see the outcome; the others read
   * what it took.
   */
  | { at: 'payer_left'; payer: string; charge: Charge }
  | { at: 'done'; inference: Inference; payment: KeptPayment; draft: RequestDraft | null; progress: Progress }
  | {
      at: 'stopped'
      problem: Problem
      payment: KeptPayment | null
      progress: Progress | null
      draft: RequestDraft | null
    }

/** Why the purchase waits, and what the server said about it. */
export type Wait = { reason: 'connection' | 'server'; problem: Problem | null; sinceMs: number }

export type PurchaseEvent =
  | { type: 'site_data_blocked'; draft: RequestDraft | null }
  | { type: 'need_wallet'; draft: RequestDraft | null; notice?: Notice; walletMessage?: string }
  | { type: 'need_sign_in'; draft: RequestDraft | null }
  | { type: 'sign_in_started' }
  | { type: 'sign_in_failed'; notice: Notice | null; error: string | null }
  | { type: 'quoting'; draft: RequestDraft }
  | { type: 'quoted'; selection: QuoteSelection; notice: Notice | null }
  | { type: 'choose'; chosen: number }
  | { type: 'signing'; step: SigningStep }
  | { type: 'not_signed'; notice: Notice; walletMessage: string }
  | { type: 'paying'; payment: KeptPayment }
  | { type: 'other_tab'; payment: KeptPayment }
  | { type: 'awaiting_sign_in'; payer: string }
  | { type: 'run_event'; event: RunEvent }
  | { type: 'done'; inference: Inference }
  | { type: 'stopped'; problem: Problem }
  | { type: 'payer_left'; payer: string; charge: Charge }
  | { type: 'dismiss'; notice: Notice | null }
  /** Nothing is left to do: another tab finished the payment, or the person gave up one that was never used. */
  | { type: 'ended' }

type At<Name extends Purchase['at']> = Extract<Purchase, { at: Name }>

/** The end of a purchase: its result, or why there is none. */
export type End = At<'done' | 'stopped'>

/**
 * The states that the result panel shows. `earlier` is the end that stays in the panel, below the reason why the next purchase
 * stopped before it had a payment.
 */
export type Shown =
  | At<'paying' | 'other_tab' | 'awaiting_sign_in' | 'payer_left' | 'done'>
  | (At<'stopped'> & { earlier: End | null })

/**
 * The purchase in the panel, from the signature on. Its end stays until the next one is signed, and only its payer sees it.
 * `owner` is the account of the page: undefined until it is known, null for no account.
 */
export function shownAfter(before: Shown | null, now: Purchase, owner: string | null | undefined): Shown | null {
  const last = (before?.at === 'done' || before?.at === 'stopped') && isOf(before, owner) ? before : null
  switch (now.at) {
    case 'paying':
    case 'other_tab':
    case 'awaiting_sign_in':
    case 'payer_left':
      return now
    case 'done':
      return isOf(now, owner) ? now : null
    case 'stopped':
      if (now.payment === null)
        return { ...now, earlier: last?.at === 'stopped' && last.payment === null ? last.earlier : last }
      return isOf(now, owner) ? { ...now, earlier: null } : null
    default:
      return last
  }
}

function isOf(end: End & { earlier?: End | null }, owner: string | null | undefined): boolean {
  const payer = (end.payment ?? end.earlier?.payment)?.payer
  return owner === undefined || payer === undefined || payer.toLowerCase() === owner?.toLowerCase()
}

/** The state when the account leaves: an outcome goes with it. What still runs or asks ends by itself. */
export const withoutOutcome = (now: Purchase): Purchase =>
  ['done', 'stopped', 'payer_left'].includes(now.at) ? IDLE : now

export const IDLE: Purchase = { at: 'idle', notice: null }

/** True from the signature on. Money may move, so only an outcome ends the state. */
export function isPaying(state: Purchase): boolean {
  return state.at === 'paying' || state.at === 'other_tab'
}

/** True while a dialog is open. The button of the form does nothing then. */
export function isAsking(state: Purchase): boolean {
  return ['site_data_blocked', 'wallet', 'sign_in', 'quoting', 'review', 'signing'].includes(state.at)
}
