import type { Quote, RunEvent } from '@coinslot/client/buyer'
import type { Problem } from '@coinslot/client/problem'
import type { Inference } from '../records/inference.ts'
import type { Task } from '../records/kinds.ts'
import type { Fields } from '../shape.ts'
import type { Remark } from './not-signed.ts'
import type { KeptPayment } from './payment-store.ts'
import type { Progress } from './progress.ts'

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

/** True from the signature on: money may move, so nothing but an outcome ends the state. */
export function isPaying(state: Purchase): boolean {
  return state.at === 'paying' || state.at === 'elsewhere'
}

/** True while a dialog has the person's attention: the button of the form does nothing then. */
export function isAsking(state: Purchase): boolean {
  return ['wallet', 'sign_in', 'quoting', 'review', 'signing'].includes(state.at)
}
