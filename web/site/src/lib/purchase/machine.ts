import type { RunEvent } from '@coinslot/client/buyer'
import { advance, NO_PROGRESS } from './progress.ts'
import { IDLE, isPaying, type Purchase, type PurchaseEvent, type RequestDraft } from './states.ts'

/** The next state. An event that does not fit the state changes nothing, so late answers of a cancelled step are harmless. */
export function step(state: Purchase, event: PurchaseEvent): Purchase {
  switch (event.type) {
    case 'site_data_blocked':
      return isPaying(state) ? state : { at: 'site_data_blocked', draft: event.draft }
    case 'need_wallet':
      if (isPaying(state)) return state
      return {
        at: 'wallet',
        draft: event.draft,
        notice: event.notice ?? null,
        walletMessage: event.walletMessage ?? '',
      }
    case 'need_sign_in':
      return isPaying(state) ? state : { at: 'sign_in', draft: event.draft, waiting: false, notice: null, error: null }
    case 'sign_in_started':
      return state.at === 'sign_in' ? { ...state, waiting: true, notice: null, error: null } : state
    case 'sign_in_failed':
      return state.at === 'sign_in' ? { ...state, waiting: false, notice: event.notice, error: event.error } : state
    case 'quoting':
      return isPaying(state) ? state : { at: 'quoting', draft: event.draft }
    case 'dismiss':
      return isPaying(state) ? state : { at: 'idle', notice: event.notice }
    case 'ended':
      return isPaying(state) ? IDLE : state
    case 'quoted':
    case 'choose':
    case 'signing':
    case 'not_signed':
      return stepReview(state, event)
    default:
      return stepPayment(state, event)
  }
}

type EventOf<Type extends PurchaseEvent['type']> = Extract<PurchaseEvent, { type: Type }>

/** From the price to the signature. */
function stepReview(state: Purchase, event: EventOf<'quoted' | 'choose' | 'signing' | 'not_signed'>): Purchase {
  if (event.type === 'quoted') {
    if (state.at !== 'quoting') return state
    return { at: 'review', draft: state.draft, selection: event.selection, notice: event.notice, walletMessage: '' }
  }
  if (event.type === 'choose') {
    return state.at === 'review' ? { ...state, selection: { ...state.selection, chosen: event.chosen } } : state
  }
  if (state.at !== 'signing' && (state.at !== 'review' || event.type === 'not_signed')) return state
  const { draft, selection } = state
  return event.type === 'signing'
    ? { at: 'signing', draft, selection, step: event.step }
    : { at: 'review', draft, selection, notice: event.notice, walletMessage: event.walletMessage }
}

/** From the signature to the outcome. */
function stepPayment(
  state: Purchase,
  event: EventOf<'paying' | 'other_tab' | 'awaiting_sign_in' | 'run_event' | 'done' | 'stopped' | 'payer_left'>,
): Purchase {
  switch (event.type) {
    case 'paying':
      return { at: 'paying', payment: event.payment, progress: NO_PROGRESS, wait: null, draft: draftOf(state) }
    case 'other_tab':
      return state.at === 'idle' || state.at === 'signing' ? { at: 'other_tab', payment: event.payment } : state
    case 'awaiting_sign_in':
      return ['idle', 'paying', 'stopped'].includes(state.at) ? { at: 'awaiting_sign_in', payer: event.payer } : state
    case 'payer_left':
      return isPaying(state) ? state : { at: 'payer_left', payer: event.payer, charge: event.charge }
    case 'run_event':
      return state.at === 'paying' ? applyRunEvent(state, event.event) : state
    case 'done': {
      if (state.at !== 'paying') return state
      const { payment, draft, progress } = state
      return { at: 'done', inference: event.inference, payment, draft, progress }
    }
    case 'stopped': {
      const { payment, progress } = state.at === 'paying' ? state : { payment: null, progress: null }
      return { at: 'stopped', problem: event.problem, payment, progress, draft: draftOf(state) }
    }
  }
}

function applyRunEvent(state: Extract<Purchase, { at: 'paying' }>, event: RunEvent): Purchase {
  const sinceMs = state.wait?.sinceMs ?? Date.now()
  if (event.event === 'pending') return { ...state, wait: { reason: 'server', problem: null, sinceMs } }
  if (event.event === 'again') {
    const problem = event.problem ?? null
    return { ...state, wait: { reason: problem === null ? 'connection' : 'server', problem, sinceMs } }
  }
  return { ...state, wait: null, progress: advance(state.progress, event) }
}

function draftOf(state: Purchase): RequestDraft | null {
  return 'draft' in state ? state.draft : null
}
