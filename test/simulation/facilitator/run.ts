import * as fc from 'fast-check'
import { type MutantName, mutantOf } from './mutants.ts'
import { play } from './play.ts'
import { type Step, schedules } from './schedule.ts'

export interface ChaosOptions {
  runs: number
  seed: number
  /** The guard to remove. */
  mutant?: MutantName
  /** Shrinks a failing schedule; without it the first one found is reported. */
  shrink?: boolean
}

export interface ChaosReport {
  runs: number
  /** The failing schedule in words, with what was violated and what happened. */
  violations: string[]
  /** How often each fault was met, by its name. */
  hits: Map<string, number>
}

/** Plays random schedules and reports the first one that breaks a promise. */
export async function runFacilitatorChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { runs, seed, mutant = 'none', shrink = true } = options
  const report: ChaosReport = { runs: 0, violations: [], hits: new Map() }
  let failing: string | null = null
  const property = fc.asyncProperty(schedules, async (steps) => {
    const { violation, trace, hits } = await play(steps, mutantOf(mutant))
    if (failing === null) {
      report.runs += 1
      for (const [name, count] of hits) report.hits.set(name, (report.hits.get(name) ?? 0) + count)
    }
    if (violation === null) return
    failing = describeFailure(steps, violation, trace)
    throw new Error(violation)
  })
  const result = await fc.check(property, { numRuns: runs, seed, endOnFailure: !shrink })
  if (result.failed) report.violations.push(failing ?? `the checker itself failed: ${String(result.errorInstance)}`)
  return report
}

function describeFailure(steps: readonly Step[], violation: string, trace: readonly string[]): string {
  const lines = steps.map(({ action, serviceCalls, pick }, at) => {
    return `${at + 1}. ${JSON.stringify(action)}, then ${serviceCalls} service calls (choosing by ${pick})`
  })
  return [`Violated: ${violation}`, ...lines, '', 'What happened:', ...trace].join('\n')
}
