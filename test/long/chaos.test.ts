import { describe, expect, it } from 'vitest'
import { GUARDS } from '../simulation/mutants.ts'
import { runChaos } from '../simulation/run.ts'

const HOUR = 3_600_000

describe('3,000 random schedules', () => {
  it('default: no violation, and every fault is met', { timeout: HOUR }, async () => {
    const report = await runChaos({ runs: 3_000, seed: 9 })
    expect(report.violations).toEqual([])
    expect([...report.hits].filter(([, hits]) => hits === 0)).toEqual([])
  })

  it.each(GUARDS.flatMap((guard) => [11, 12, 13].map((seed) => ({ guard, seed }))))(
    'behavior: seed $seed finds a violation without the guard "$guard"',
    { timeout: HOUR },
    async ({ guard, seed }) => {
      const report = await runChaos({ runs: 600, seed, mutant: guard, shrink: false })
      expect(report.violations).toHaveLength(1)
    },
  )
})
