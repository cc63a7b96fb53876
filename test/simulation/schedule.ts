import * as fc from 'fast-check'
import { ALL_FAULTS, type Fault } from './faults.ts'

/** What may happen next; payments and workers are numbers that wrap around what there is. */
export type Action =
  | { do: 'call'; payment: number; mode: 'plain' | 'async' | 'stream'; worker: number }
  | { do: 'fault'; fault: Fault }
  | { do: 'advance'; ms: number }
  | { do: 'kill'; worker: number; reached: number }
  | { do: 'reconcile'; worker: number }
  | { do: 'minutes'; count: number; worker: number }
  | { do: 'status'; payment: number; worker: number }
  | { do: 'webhook'; payment: number; worker: number }
  | { do: 'leave'; client: number }
  | { do: 'front-run'; payment: number }
  | { do: 'cancel'; payment: number }
  | { do: 'stall' }
  | { do: 'resume'; late: boolean }
  | { do: 'database away'; ms: number }

/** An action, then so many peer calls let pass, `pick` choosing whose turn it is. */
export interface Step {
  action: Action
  peerCalls: number
  pick: number
}

export interface Schedule {
  minConfirmations: number
  /** How late the provider's list shows a run. */
  listLagMs: number
  /** Which of the cast's payments are played. */
  payments: number[]
  steps: Step[]
}

const index = fc.nat({ max: 3 })
const worker = fc.nat({ max: 1 })
const waits = [500, 2_000, 2_000, 5_000, 13_000, 31_000, 61_000, 5 * 60_000, 35 * 60_000, 3 * 3_600_000]
/** Less than the minute after which a run that nobody sees is started. */
const lags = [0, 20_000, 45_000]

const call = fc.record({
  do: fc.constant('call' as const),
  payment: index,
  mode: fc.constantFrom('plain' as const, 'async' as const, 'stream' as const),
  worker,
})
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: call },
  { weight: 8, arbitrary: fc.constantFrom(...ALL_FAULTS).map((fault) => ({ do: 'fault' as const, fault })) },
  { weight: 5, arbitrary: fc.constantFrom(...waits).map((ms) => ({ do: 'advance' as const, ms })) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), worker, reached: fc.nat({ max: 255 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconcile' as const), worker }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('minutes' as const), count: fc.integer({ min: 1, max: 4 }), worker }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('status' as const), payment: index, worker }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('webhook' as const), payment: index, worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), client: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('front-run' as const), payment: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), payment: index }) },
  { weight: 2, arbitrary: fc.constant({ do: 'stall' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), late: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 40_000).map((ms) => ({ do: 'database away' as const, ms })) },
)

const step: fc.Arbitrary<Step> = fc.record({ action, peerCalls: fc.nat({ max: 14 }), pick: fc.nat({ max: 3 }) })
const firstCall: fc.Arbitrary<Step> = fc.record({
  action: call,
  peerCalls: fc.nat({ max: 14 }),
  pick: fc.nat({ max: 3 }),
})

/** 2 to 5 callers of 1 to 3 payments, with whatever may befall them. */
export const schedules = (castSize: number): fc.Arbitrary<Schedule> =>
  fc
    .record({
      minConfirmations: fc.constantFrom(0, 1, 1, 2),
      listLagMs: fc.constantFrom(...lags),
      payments: fc.uniqueArray(fc.nat({ max: castSize - 1 }), { minLength: 1, maxLength: 3 }),
      before: fc.array(step, { maxLength: 4 }),
      first: firstCall,
      rest: fc.array(step, { minLength: 1, maxLength: 24 }),
    })
    .map(({ before, first, rest, ...world }) => ({ ...world, steps: atMostFiveCalls([...before, first, ...rest]) }))

function atMostFiveCalls(steps: Step[]): Step[] {
  let calls = 0
  return steps.filter(({ action }) => {
    calls += action.do === 'call' ? 1 : 0
    return action.do !== 'call' || calls <= 5
  })
}

/** A schedule in words, a line per step. */
export function describeSchedule(schedule: Schedule, nameOf: (payment: number) => string): string {
  const { minConfirmations, listLagMs, steps } = schedule
  const lines = steps.map(({ action, peerCalls, pick }, at) => {
    const after = peerCalls === 0 ? '' : `, then ${peerCalls} peer calls${pick === 0 ? '' : ` (choosing by ${pick})`}`
    return `${String(at + 1).padStart(3)}. ${describeAction(action, nameOf)}${after}`
  })
  return [`MIN_CONFIRMATIONS ${minConfirmations}, the provider's list lags ${listLagMs / 1000} s`, ...lines].join('\n')
}

function describeAction(action: Action, nameOf: (payment: number) => string): string {
  switch (action.do) {
    case 'call':
      return `${nameOf(action.payment)} is sent to worker ${action.worker} (${action.mode})`
    case 'fault':
      return `the next ${action.fault.op} ${action.fault.kind}`
    case 'advance':
      return `${action.ms / 1000} s pass`
    case 'kill':
      return `worker ${action.worker} is killed (calls on their way arrive by ${action.reached.toString(2)})`
    case 'reconcile':
      return `the scheduled job runs on worker ${action.worker}`
    case 'minutes':
      return `${action.count} minutes pass, the scheduled job runs at the end of each on worker ${action.worker}`
    case 'status':
      return `a status call for ${nameOf(action.payment)} on worker ${action.worker}`
    case 'webhook':
      return `a webhook for ${nameOf(action.payment)} to worker ${action.worker}`
    case 'leave':
      return `client ${action.client} leaves`
    case 'front-run':
      return `somebody else submits ${nameOf(action.payment)}`
    case 'cancel':
      return `the payer cancels ${nameOf(action.payment)}`
    case 'stall':
      return 'the chain makes no more blocks'
    case 'resume':
      return `the chain makes blocks again${action.late ? ', with times that lag behind' : ''}`
    case 'database away':
      return `the database is away for ${action.ms / 1000} s`
  }
}
