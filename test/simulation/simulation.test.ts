import { describe, expect, it } from 'vitest'
import { runChaos } from './run.ts'

const MINUTES = 60_000

describe('random schedules of callers, faults, clocks and kills', () => {
  it('default: whatever breaks, a payment is never lost and never doubled', { timeout: 10 * MINUTES }, async () => {
    const report = await runChaos({ runs: 300, seed: 20_261_127 })
    expect(report.violations).toEqual([])
    expect(report.runs).toBe(300)
  })

  // Each switches one guard off: a checker that finds nothing then would check nothing.
  it.each(['claim', 'release', 'search', 'lapse'] as const)(
    'behavior: without the guard "%s" a violation is found within 300 schedules',
    { timeout: 10 * MINUTES },
    async (mutant) => {
      const report = await runChaos({ runs: 300, seed: 7, mutant, shrink: false })
      expect(report.violations).toHaveLength(1)
    },
  )
})
