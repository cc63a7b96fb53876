import type { RunEvent } from '@coinslot/client/buyer'
import { advance, NO_PROGRESS } from './progress.ts'
import { IDLE, isPaying, type Purchase, type PurchaseEvent, type Wish } from './states.ts'

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
