import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDatabase } from '../helpers/in-process-database.ts'
import { GUARDS, MUTANTS, type Mutant, type MutantName } from './mutants.ts'
import { runChaos } from './run.ts'

const MINUTES = 60_000
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/design/chaos.md'), 'utf8')
/** For each guard, a seed whose first schedules find its removal. Where a rule of the schedules changes, so do these. */
const SEEDS: Partial<Record<MutantName, number>> = {
  release: 14,
  search: 14,
  expire: 27,
  reverted: 115,
  settled: 2,
  resends: 143,
  period: 100,
  early: 178,
  followers: 112,
  page: 101,
  empty: 2,
  data: 178,
}
const MAX_RUNS = 60

const db = useDatabase()

describe('random schedules of callers, faults, clocks and kills', () => {
  it('default: with any fault, a payment is never lost and never doubled', { timeout: 10 * MINUTES }, async () => {
    const report = await runChaos({ database: db, runs: 40, seed: 20_261_127 })
    expect(report.violations).toEqual([])
    expect(report.runs).toBe(40)
  })

  it('behavior: the page of the simulation lists every guard', () => {
    const [, table = ''] = PAGE.split('`--break NAME`')
    const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(rows).toEqual(GUARDS)
  })

  // A check that finds nothing without the guard would check nothing.
  it.each(GUARDS)(
    'behavior: without the guard "%s" a violation is found within 60 schedules',
    { timeout: 10 * MINUTES },
    async (mutant) => {
      const { prepare }: Mutant = MUTANTS[mutant]
      // A database that is changed is of no use to the next.
      const place = prepare === undefined ? { database: db } : {}
      const report = await runChaos({ ...place, runs: MAX_RUNS, seed: SEEDS[mutant] ?? 7, mutant, shrink: false })
      expect(report.violations).toHaveLength(1)
    },
  )
})
