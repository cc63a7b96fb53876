import type { Quote, RunEvent } from '@coinslot/client/buyer'
import type { Problem } from '@coinslot/client/problem'
import type { Inference } from '../records/inference.ts'
import type { Task } from '../records/kinds.ts'
import type { Fields } from '../shape.ts'
import type { KeptPayment } from './payment-store.ts'
import { isPaying } from './phase.ts'
import { advance, NO_PROGRESS, type Progress } from './progress.ts'

/** What a person asked for with the button. */
export interface Wish {
  task: Task
  model: string
  modelName: string
  input: Fields
  estimatedSeconds: number
  /** The price that stood on the button, USDC. */
  shownUsdc: string
}

/** A calm remark that goes with a state; its words are in the dictionary. */
export type Remark =
  | 'cancelled'
  | 'account_changed'
  | 'wrong_chain'
  | 'other_tab'
  | 'quote_renewed'
  | 'no_storage'
  | 'wallet_pending'

/** What is on the sheet and will be signed, as one value. */
export interface Bill {
  quote: Quote
  /** Index into `quote.offers`. */
  chosen: number
  from: string
}

export type Purchase =
  | { at: 'idle'; remark: Remark | null }
  | { at: 'wallet'; wish: Wish | null; remark: Remark | null }
  | { at: 'sign_in'; wish: Wish | null; waiting: boolean; remark: Remark | null; error: string | null }
  | { at: 'quoting'; wish: Wish }
  | { at: 'review'; wish: Wish; bill: Bill; remark: Remark | null }
  | { at: 'signing'; wish: Wish; bill: Bill; step: 'chain' | 'signature' }
  | { at: 'paying'; payment: KeptPayment; progress: Progress; wait: Wait | null; wish: Wish | null }
  | { at: 'elsewhere'; payment: KeptPayment }
  | { at: 'held'; payer: string }
  | { at: 'done'; inference: Inference; payment: KeptPayment; wish: Wish | null; progress: Progress }
  | { at: 'stopped'; problem: Problem; progress: Progress | null; wish: Wish | null }

/** Why nothing moves at the moment, and what the server said about it. */
export type Wait = { reason: 'connection' | 'server'; problem: Problem | null }

export type PurchaseEvent =
  | { type: 'need_wallet'; wish: Wish | null; remark?: Remark }
  | { type: 'need_sign_in'; wish: Wish | null }
  | { type: 'sign_in_waits' }
  | { type: 'sign_in_failed'; remark: Remark | null; error: string | null }
  | { type: 'quoting'; wish: Wish }
  | { type: 'quoted'; bill: Bill; remark: Remark | null }
  | { type: 'choose'; chosen: number }
  | { type: 'signing'; step: 'chain' | 'signature' }
  | { type: 'unsigned'; remark: Remark }
  | { type: 'paying'; payment: KeptPayment }
  | { type: 'elsewhere'; payment: KeptPayment }
  | { type: 'held'; payer: string }
  | { type: 'news'; news: RunEvent }
  | { type: 'done'; inference: Inference }
  | { type: 'stopped'; problem: Problem }
  | { type: 'dismiss'; remark: Remark | null }
  /** Nothing is left to do here: another tab finished it, or the person gave up a payment that was never used. */
  | { type: 'over' }

export const IDLE: Purchase = { at: 'idle', remark: null }

/** The next state. An event that does not fit the state changes nothing, so late answers of a cancelled step are harmless. */
export function step(state: Purchase, event: PurchaseEvent): Purchase {
  switch (event.type) {
    case 'need_wallet':
      return isPaying(state) ? state : { at: 'wallet', wish: event.wish, remark: event.remark ?? null }
    case 'need_sign_in':
      return isPaying(state) ? state : { at: 'sign_in', wish: event.wish, waiting: false, remark: null, error: null }
    case 'sign_in_waits':
      return state.at === 'sign_in' ? { ...state, waiting: true, remark: null, error: null } : state
    case 'sign_in_failed':
      return state.at === 'sign_in' ? { ...state, waiting: false, remark: event.remark, error: event.error } : state
    case 'quoting':
      return isPaying(state) ? state : { at: 'quoting', wish: event.wish }
    case 'quoted':
      return state.at === 'quoting' ? { at: 'review', wish: state.wish, bill: event.bill, remark: event.remark } : state
    case 'choose':
      return state.at === 'review' ? { ...state, bill: { ...state.bill, chosen: event.chosen } } : state
    case 'signing':
      return state.at === 'review' || state.at === 'signing'
        ? { at: 'signing', wish: state.wish, bill: state.bill, step: event.step }
        : state
    case 'unsigned':
      return state.at === 'signing' ? { at: 'review', wish: state.wish, bill: state.bill, remark: event.remark } : state
    case 'paying':
      return { at: 'paying', payment: event.payment, progress: NO_PROGRESS, wait: null, wish: wishOf(state) }
    case 'elsewhere':
      return state.at === 'idle' || state.at === 'signing' ? { at: 'elsewhere', payment: event.payment } : state
    case 'held':
      return state.at === 'idle' || state.at === 'paying' ? { at: 'held', payer: event.payer } : state
    case 'news':
      return state.at === 'paying' ? hear(state, event.news) : state
    case 'done':
      return state.at === 'paying'
        ? {
            at: 'done',
            inference: event.inference,
            payment: state.payment,
            wish: state.wish,
            progress: state.progress,
          }
        : state
    case 'stopped':
      return {
        at: 'stopped',
        problem: event.problem,
        progress: state.at === 'paying' ? state.progress : null,
        wish: wishOf(state),
      }
    case 'dismiss':
      return isPaying(state) ? state : { at: 'idle', remark: event.remark }
    case 'over':
      return isPaying(state) ? IDLE : state
  }
}

function hear(state: Extract<Purchase, { at: 'paying' }>, news: RunEvent): Purchase {
  if (news.event === 'pending') return { ...state, wait: { reason: 'server', problem: null } }
  if (news.event === 'again') {
    const problem = news.problem ?? null
    return { ...state, wait: { reason: problem === null ? 'connection' : 'server', problem } }
  }
  return { ...state, wait: null, progress: advance(state.progress, news) }
}

function wishOf(state: Purchase): Wish | null {
  return 'wish' in state ? state.wish : null
}
