import * as fc from 'fast-check'
import { FAULT_KINDS, type FaultKind } from './process.ts'

/** Calls that may fail, be lost, or be the last one of their process. */
const OPS = [
  'eth_sendRawTransaction',
  'eth_sendRawTransaction',
  'eth_getTransactionReceipt',
  'eth_getTransactionCount',
  'eth_call',
  'eth_getBalance',
  'store.record',
  'store.record',
  'store.end',
  'store.find',
  'store.read',
  'store.discard',
  'store.forget',
  'store.replace',
  'store.inTurn',
] as const

/** The next events to choose from. Numbers of payments, processes and keys wrap around. */
export type Action =
  | { do: 'bring'; payment: number; count: number; process: number; isHeard: boolean }
  | { do: 'fault'; op: string; kind: FaultKind }
  | { do: 'advance'; ms: number }
  | { do: 'kill'; process: number; reached: number }
  | { do: 'reorganize'; forgets: boolean }
  | { do: 'cancel' | 'front-run' | 'delegate'; payment: number }
  | { do: 'no gas' | 'gas'; key: number }
  | { do: 'base fee'; gwei: number }
  | { do: 'stall' | 'resume' | 'forget mempool' | 'old ones win' }
  | { do: 'steal'; process: number; key: number }

export interface Step {
  action: Action
  /** So many service calls are released after it; `pick` chooses which is next. */
  serviceCalls: number
  pick: number
}

export const PAYMENTS = 9
const process = fc.nat({ max: 1 })
const payment = fc.nat({ max: PAYMENTS - 1 })
const key = fc.nat({ max: 2 })

const bring = fc.record({
  do: fc.constant('bring' as const),
  payment,
  count: fc.constantFrom(1, 1, 2, 5, PAYMENTS),
  process,
  isHeard: fc.constantFrom(true, true, false),
})
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 9, arbitrary: bring },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      op: fc.constantFrom(...OPS),
      kind: fc.constantFrom(...FAULT_KINDS),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(100, 500, 2_000, 5_000, 16_000, 70_000).map((ms) => ({ do: 'advance' as const, ms })),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), process, reached: fc.nat({ max: 255 }) }) },
  { weight: 2, arbitrary: fc.boolean().map((forgets) => ({ do: 'reorganize' as const, forgets })) },
  { weight: 1, arbitrary: payment.map((number) => ({ do: 'cancel' as const, payment: number })) },
  { weight: 1, arbitrary: payment.map((number) => ({ do: 'front-run' as const, payment: number })) },
  { weight: 2, arbitrary: payment.map((number) => ({ do: 'delegate' as const, payment: number })) },
  { weight: 1, arbitrary: key.map((number) => ({ do: 'no gas' as const, key: number })) },
  { weight: 1, arbitrary: key.map((number) => ({ do: 'gas' as const, key: number })) },
  { weight: 2, arbitrary: fc.constantFrom(1, 1, 20, 60).map((gwei) => ({ do: 'base fee' as const, gwei })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('stall' as const, 'resume' as const, 'forget mempool' as const, 'old ones win' as const)
      .map((what) => ({
        do: what,
      })),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('steal' as const), process, key }) },
)

const step = fc.record({ action, serviceCalls: fc.nat({ max: 30 }), pick: fc.nat({ max: 5 }) })

const after = (action: Action): Step => ({ action, serviceCalls: 0, pick: 0 })
/** Fees rise above what was sent, it is replaced, and then the old one is mined. */
const replacedInVain: fc.Arbitrary<Step[]> = bring.map((first) => [
  { action: { ...first, isHeard: false }, serviceCalls: 40, pick: 0 },
  after({ do: 'base fee', gwei: 20 }),
  after({ do: 'advance', ms: 90_000 }),
  after({ do: 'old ones win' }),
  after({ do: 'base fee', gwei: 1 }),
  after({ do: 'advance', ms: 5_000 }),
])

export const schedules: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof({ weight: 30, arbitrary: step.map((only) => [only]) }, { weight: 1, arbitrary: replacedInVain }), {
    minLength: 3,
    maxLength: 24,
  })
  .map((groups) => groups.flat())
