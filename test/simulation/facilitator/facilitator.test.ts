import { describe, expect, it } from 'vitest'
import { GUARDS, type MutantName } from './mutants.ts'
import { runFacilitatorChaos } from './run.ts'

/** For each guard, a seed whose first schedules find its removal. Where a rule of the schedules changes, so do these. */
const SEEDS: Partial<Record<MutantName, number>> = { known: 21, reorganized: 3, replaced: 1, taken: 21, unclear: 21 }
const MAX_RUNS = 80

describe('random schedules of batches, keys, faults, kills and reorganizations', () => {
  it('default: with any fault, a payment is never lost, doubled or misreported', { timeout: 300_000 }, async () => {
    const report = await runFacilitatorChaos({ runs: 40, seed: 20_261_128 })
    expect(report.violations).toEqual([])
    expect(report.runs).toBe(40)
  })

  // A check that finds nothing without the guard would check nothing.
  it.each(GUARDS)('behavior: without the guard "%s" a violation is found', { timeout: 300_000 }, async (mutant) => {
    const report = await runFacilitatorChaos({ runs: MAX_RUNS, seed: SEEDS[mutant] ?? 7, mutant, shrink: false })
    expect(report.violations).toHaveLength(1)
  })
})
