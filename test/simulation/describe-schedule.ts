import type { Action, Schedule } from './schedule.ts'

/** A schedule in words, a line per step. */
export function describeSchedule(schedule: Schedule, nameOf: (payment: number) => string): string {
  const { minConfirmations, listLagMs, steps } = schedule
  const lines = steps.map(({ action, serviceCalls, pick }, at) => {
    const after =
      serviceCalls === 0 ? '' : `, then ${serviceCalls} service calls${pick === 0 ? '' : ` (choosing by ${pick})`}`
    return `${String(at + 1).padStart(3)}. ${describeAction(action, nameOf)}${after}`
  })
  return [`MIN_CONFIRMATIONS ${minConfirmations}, the provider's list lags ${listLagMs / 1000} s`, ...lines].join('\n')
}

function describeAction(action: Action, nameOf: (payment: number) => string): string {
  switch (action.do) {
    case 'call':
      return `${nameOf(action.payment)} is sent to worker ${action.worker} (${action.mode})`
    case 'followers':
      return `${action.count} streams follow ${nameOf(action.payment)} on worker ${action.worker}`
    case 'fault':
      return `the next ${action.fault.op} ${action.fault.kind}`
    case 'advance':
      return `${action.ms / 1000} s pass`
    case 'kill':
      return `worker ${action.worker} is killed (calls on their way arrive by ${action.reached.toString(2)})`
    case 'reconcile':
      return `the scheduled job runs on worker ${action.worker}`
    case 'wake up':
      return `${action.messages} wake-ups reach worker ${action.worker}${action.twice ? ', each twice' : ''}${action.forged ? ', and forged ones' : ''}`
    case 'minutes':
      return `${action.count} minutes pass, the scheduled job runs at the end of each on worker ${action.worker}`
    case 'status':
      return `a status call for ${nameOf(action.payment)} on worker ${action.worker}`
    case 'webhook':
      return `a webhook for ${nameOf(action.payment)} to worker ${action.worker}`
    case 'leave':
      return `client ${action.client} leaves`
    case 'front-run':
      return `a stranger submits ${nameOf(action.payment)}`
    case 'cancel':
      return `the payer cancels ${nameOf(action.payment)}`
    case 'contract wallet':
      return `the wallet of ${nameOf(action.payment)} refuses it in every block`
    case 'sign again':
      return `${action.waitMs / 3_600_000} h pass, and ${nameOf(action.payment)} is signed again for ${action.validMs / 1000} s`
    case 'stall':
      return 'the chain makes no more blocks'
    case 'resume':
      return `the chain makes blocks again${action.late ? ', with times that lag behind' : ''}`
    case 'database away':
      return `the database is away for ${action.ms / 1000} s`
    case 'database read-only':
      return `the database takes no writes for ${action.ms / 1000} s`
  }
}
