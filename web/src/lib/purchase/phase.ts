import type { Purchase } from './machine.ts'

/** True from the signature on: money may move, so nothing but an outcome ends the state. */
export function isPaying(state: Purchase): boolean {
  return state.at === 'paying' || state.at === 'elsewhere'
}

/** True while a dialog has the person's attention: the button of the form does nothing then. */
export function isAsking(state: Purchase): boolean {
  return ['wallet', 'sign_in', 'quoting', 'review', 'signing'].includes(state.at)
}
