import * as fc from 'fast-check'
import { episodes } from './episodes.ts'
import { ALL_FAULTS, type Fault } from './faults.ts'

export type CallMode = 'plain' | 'async' | 'stream'

/** The next events to choose from. Numbers of payments and workers wrap around. */
export type Action =
  | { do: 'call'; payment: number; mode: CallMode; worker: number }
  | { do: 'followers'; payment: number; count: number; worker: number }
  | { do: 'fault'; fault: Fault }
  | { do: 'advance'; ms: number }
  | { do: 'kill'; worker: number; reached: number }
  | { do: 'reconcile'; worker: number }
  | { do: 'wake up'; worker: number; messages: number; twice: boolean; forged: boolean }
  | { do: 'minutes'; count: number; worker: number }
  | { do: 'status'; payment: number; worker: number }
  | { do: 'webhook'; payment: number; worker: number }
  | { do: 'leave'; client: number }
  | { do: 'front-run'; payment: number }
  | { do: 'cancel'; payment: number }
  | { do: 'contract wallet'; payment: number }
  | { do: 'sign again'; payment: number; waitMs: number; validMs: number }
  | { do: 'stall' }
  | { do: 'resume'; late: boolean }
  | { do: 'database away'; ms: number }
  | { do: 'database read-only'; ms: number }

/** An action, then so many service calls released; `pick` chooses which is next. */
export interface Step {
  action: Action
  serviceCalls: number
  pick: number
}

export interface Schedule {
  minConfirmations: number
  /** How late the provider's list shows a run. */
  listLagMs: number
  /** Which of the signed payments take part. */
  payments: number[]
  steps: Step[]
}

const index = fc.nat({ max: 3 })
const worker = fc.nat({ max: 1 })
const waits = [500, 2_000, 2_000, 5_000, 13_000, 31_000, 61_000, 5 * 60_000, 35 * 60_000, 3 * 3_600_000]
/** Less than the minute after which a run that is not found is started. */
const lags = [0, 20_000, 45_000]

const call = fc.record({
  do: fc.constant('call' as const),
  payment: index,
  mode: fc.constantFrom('plain' as const, 'async' as const, 'stream' as const),
  worker,
})
const wakeUp = fc.record({
  do: fc.constant('wake up' as const),
  worker,
  messages: fc.integer({ min: 1, max: 3 }),
  twice: fc.boolean(),
  forged: fc.boolean(),
})
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: call },
  { weight: 8, arbitrary: fc.constantFrom(...ALL_FAULTS).map((fault) => ({ do: 'fault' as const, fault })) },
  { weight: 5, arbitrary: fc.constantFrom(...waits).map((ms) => ({ do: 'advance' as const, ms })) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), worker, reached: fc.nat({ max: 255 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconcile' as const), worker }) },
  { weight: 3, arbitrary: wakeUp },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('minutes' as const), count: fc.integer({ min: 1, max: 4 }), worker }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('status' as const), payment: index, worker }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('webhook' as const), payment: index, worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), client: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('front-run' as const), payment: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), payment: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('contract wallet' as const), payment: index }) },
  { weight: 2, arbitrary: fc.constant({ do: 'stall' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), late: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 40_000).map((ms) => ({ do: 'database away' as const, ms })) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 40_000).map((ms) => ({ do: 'database read-only' as const, ms })) },
)

const step: fc.Arbitrary<Step> = fc.record({ action, serviceCalls: fc.nat({ max: 14 }), pick: fc.nat({ max: 3 }) })
const firstCall: fc.Arbitrary<Step> = fc.record({
  action: call,
  serviceCalls: fc.nat({ max: 14 }),
  pick: fc.nat({ max: 3 }),
})

/** 2 to 5 single calls of 1 to 3 payments, with everything that may happen between them. */
export const schedules = (signed: number): fc.Arbitrary<Schedule> =>
  fc
    .record({
      minConfirmations: fc.constantFrom(0, 1, 1, 2),
      listLagMs: fc.constantFrom(...lags),
      payments: fc.uniqueArray(fc.nat({ max: signed - 1 }), { minLength: 1, maxLength: 3 }),
      before: fc.array(step, { maxLength: 4 }),
      first: firstCall,
      rest: fc.array(
        fc.oneof({ weight: 20, arbitrary: step.map((only) => [only]) }, { weight: 1, arbitrary: episodes }),
        { minLength: 1, maxLength: 24 },
      ),
    })
    .map(({ before, first, rest, ...others }) => {
      const groups = atMostFiveCalls([...before.map((only) => [only]), [first], ...rest])
      return { ...others, steps: groups.flat() }
    })

/** Counts single calls only: an episode has its own number of them. */
function atMostFiveCalls(groups: Step[][]): Step[][] {
  let calls = 0
  return groups.filter(([step, ...others]) => {
    const isCall = others.length === 0 && step?.action.do === 'call'
    calls += isCall ? 1 : 0
    return !isCall || calls <= 5
  })
}
