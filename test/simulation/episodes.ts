import * as fc from 'fast-check'
import { FAULTS } from './faults.ts'
import type { Action, Step } from './schedule.ts'

const index = fc.nat({ max: 3 })
const worker = fc.nat({ max: 1 })
const settleFault = fc.constantFrom(...FAULTS.settle).map((kind) => ({ op: 'settle' as const, kind }))
const HOUR_MS = 3_600_000

/** Enough service calls for one step of a purchase to end. */
const then = (action: Action, serviceCalls = 14): Step => ({ action, serviceCalls, pick: 0 })

/** A contract wallet that reverts in every block, and a buyer who sends its payment again and again. */
const revertedWallet: fc.Arbitrary<Step[]> = fc
  .record({ payment: index, worker, calls: fc.integer({ min: 2, max: 6 }), stalls: fc.boolean() })
  .map(({ payment, worker, calls, stalls }) => {
    const again = Array.from({ length: calls }, () => [
      then({ do: 'call', payment, mode: 'plain', worker }, 20),
      then({ do: 'advance', ms: 2_000 }, 20),
    ])
    const chain: Step[] = stalls ? [then({ do: 'stall' }, 0)] : []
    return [then({ do: 'contract wallet', payment }, 0), ...chain, ...again.flat()]
  })

/** A refused payment that is signed again hours later and then meets a fault of `/settle`. */
const signedAgain: fc.Arbitrary<Step[]> = fc
  .record({
    payment: index,
    worker,
    fault: settleFault,
    waitMs: fc.constantFrom(0.5 * HOUR_MS, 2.5 * HOUR_MS, 6 * HOUR_MS),
    validMs: fc.constantFrom(60_000, 890_000),
  })
  .map(({ payment, worker, fault, waitMs, validMs }) => [
    then({ do: 'fault', fault: { op: 'verify', kind: 'refuses' } }, 0),
    then({ do: 'call', payment, mode: 'plain', worker }),
    then({ do: 'sign again', payment, waitMs, validMs }),
    then({ do: 'fault', fault }, 0),
    then({ do: 'call', payment, mode: 'plain', worker }),
  ])

/** A slow run, and many streams that follow it. */
const followers: fc.Arbitrary<Step[]> = fc
  .record({ payment: index, worker, count: fc.integer({ min: 4, max: 20 }), isVerySlow: fc.boolean() })
  .map(({ payment, worker, count, isVerySlow }) => [
    then({ do: 'fault', fault: { op: 'run', kind: isVerySlow ? 'very slow' : 'slow' } }, 0),
    then({ do: 'call', payment, mode: 'stream', worker }),
    then({ do: 'followers', payment, count, worker }),
    then({ do: 'advance', ms: 31_000 }),
  ])

/** A start that fails, one by the job whose answer is lost, and the job again before the provider's list shows that run. */
const startLost: fc.Arbitrary<Step[]> = fc
  .record({ payment: index, worker, waitMs: fc.constantFrom(0, 5_000, 40_000) })
  .map(({ payment, worker, waitMs }) => [
    then({ do: 'fault', fault: { op: 'create', kind: '5xx' } }, 0),
    then({ do: 'call', payment, mode: 'async', worker }, 20),
    then({ do: 'advance', ms: 61_000 }),
    then({ do: 'fault', fault: { op: 'create', kind: 'answer lost' } }, 0),
    then({ do: 'reconcile', worker }, 20),
    then({ do: 'advance', ms: waitMs }),
    then({ do: 'reconcile', worker: worker + 1 }, 20),
  ])

/** Steps that seldom come together by chance, and are needed to reach a rule. */
export const episodes: fc.Arbitrary<Step[]> = fc.oneof(revertedWallet, signedAgain, followers, startLost)
