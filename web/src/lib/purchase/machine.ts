import type { RunEvent } from '@coinslot/client/buyer'
import { advance, NO_PROGRESS } from './progress.ts'
import { IDLE, isPaying, type Purchase, type PurchaseEvent, type RequestDraft } from './states.ts'

/** The next state. An event that does not fit the state changes nothing, so late answers of a cancelled step are harmless. */
export function step(state: Purchase, event: PurchaseEvent): Purchase {
  switch (event.type) {
    case 'need_wallet':
      return isPaying(state) ? state : { at: 'wallet', draft: event.draft, notice: event.notice ?? null }
    case 'need_sign_in':
      return isPaying(state) ? state : { at: 'sign_in', draft: event.draft, waiting: false, notice: null, error: null }
    case 'sign_in_waits':
      return state.at === 'sign_in' ? { ...state, waiting: true, notice: null, error: null } : state
    case 'sign_in_failed':
      return state.at === 'sign_in' ? { ...state, waiting: false, notice: event.notice, error: event.error } : state
    case 'quoting':
      return isPaying(state) ? state : { at: 'quoting', draft: event.draft }
    case 'quoted':
      return state.at === 'quoting'
        ? { at: 'review', draft: state.draft, selection: event.selection, notice: event.notice }
        : state
    case 'choose':
      return state.at === 'review' ? { ...state, selection: { ...state.selection, chosen: event.chosen } } : state
    case 'signing':
      return state.at === 'review' || state.at === 'signing'
        ? { at: 'signing', draft: state.draft, selection: state.selection, step: event.step }
        : state
    case 'unsigned':
      return state.at === 'signing'
        ? { at: 'review', draft: state.draft, selection: state.selection, notice: event.notice }
        : state
    case 'paying':
      return { at: 'paying', payment: event.payment, progress: NO_PROGRESS, wait: null, draft: draftOf(state) }
    case 'other_tab':
      return state.at === 'idle' || state.at === 'signing' ? { at: 'other_tab', payment: event.payment } : state
    case 'awaiting_sign_in':
      return state.at === 'idle' || state.at === 'paying' ? { at: 'awaiting_sign_in', payer: event.payer } : state
    case 'news':
      return state.at === 'paying' ? hear(state, event.news) : state
    case 'done':
      return state.at === 'paying'
        ? {
            at: 'done',
            inference: event.inference,
            payment: state.payment,
            draft: state.draft,
            progress: state.progress,
          }
        : state
    case 'stopped':
      return {
        at: 'stopped',
        problem: event.problem,
        progress: state.at === 'paying' ? state.progress : null,
        draft: draftOf(state),
      }
    case 'dismiss':
      return isPaying(state) ? state : { at: 'idle', notice: event.notice }
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

function draftOf(state: Purchase): RequestDraft | null {
  return 'draft' in state ? state.draft : null
}
