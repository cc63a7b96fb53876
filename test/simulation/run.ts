import * as fc from 'fast-check'
import { type InProcessDatabase, openInProcessDatabase } from '../helpers/in-process-database.ts'
import { assembleCast } from './buyers.ts'
import { BREAKS, type BreakName } from './mutants.ts'
import { play } from './play.ts'
import { describeSchedule, type Schedule, schedules } from './schedule.ts'

export interface ChaosOptions {
  runs: number
  seed: number
  /** A guard to switch off. */
  sabotage?: BreakName
  postgresUrl?: string
  /** Shrinks a failing schedule; without it the first one found is told. */
  shrink?: boolean
}

export interface ChaosReport {
  runs: number
  /** Each failing schedule in words, with what was violated and what happened. */
  violations: string[]
  /** How often each fault was met, by its name. */
  hits: Map<string, number>
}

/** Plays random schedules and tells which of them break the sentence. Stops after a few that do. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const sabotage = BREAKS[options.sabotage ?? 'none']
  const db = await openInProcessDatabase(options.postgresUrl === undefined ? {} : { postgresUrl: options.postgresUrl })
  try {
    const cast = await assembleCast(db.database)
    await sabotage.prepare(db.database)
    return await explore(db, cast, options)
  } finally {
    await db.close()
  }
}

const MAX_VIOLATIONS = 3

async function explore(
  db: InProcessDatabase,
  cast: Awaited<ReturnType<typeof assembleCast>>,
  { runs, seed, sabotage = 'none', shrink = true }: ChaosOptions,
): Promise<ChaosReport> {
  const report: ChaosReport = { runs: 0, violations: [], hits: new Map() }
  let failing: string | null = null
  const property = fc.asyncProperty(schedules(cast.length), async (schedule) => {
    const { violation, trace, hits } = await play(db, cast, schedule, BREAKS[sabotage])
    if (failing === null) {
      report.runs += 1
      for (const [name, count] of hits) report.hits.set(name, (report.hits.get(name) ?? 0) + count)
    }
    if (violation === null) return
    failing = tell(schedule, cast, violation, trace)
    throw new Error(violation)
  })
  while (report.runs < runs && report.violations.length < MAX_VIOLATIONS) {
    failing = null
    const result = await fc.check(property, {
      numRuns: runs - report.runs,
      seed: seed + report.runs,
      endOnFailure: !shrink,
    })
    if (!result.failed) break
    if (failing === null) throw new Error(`the checker broke: ${String(result.errorInstance)}`)
    report.violations.push(failing)
    if (!shrink) break
  }
  return report
}

function tell(
  schedule: Schedule,
  cast: Awaited<ReturnType<typeof assembleCast>>,
  violation: string,
  trace: string[],
): string {
  const nameOf = (payment: number): string => {
    const number = payment % schedule.payments.length
    return `payment ${number} (${cast[(schedule.payments[number] ?? 0) % cast.length]?.name})`
  }
  return [`Violated: ${violation}`, describeSchedule(schedule, nameOf), '', 'What happened:', ...trace].join('\n')
}
