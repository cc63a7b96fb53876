import * as fc from 'fast-check'
import { openInProcessDatabase, type TestDatabase } from '../helpers/in-process-database.ts'
import { type SignedPayment, signPayments } from './buyers.ts'
import { describeSchedule } from './describe-schedule.ts'
import { ALL_NAMES } from './faults.ts'
import { MUTANTS, type MutantName } from './mutants.ts'
import { play } from './play.ts'
import { type Schedule, schedules } from './schedule.ts'

export interface ChaosOptions {
  runs: number
  seed: number
  /** The guard to remove. */
  mutant?: MutantName
  /** Where to play. It is emptied before each schedule. Default: a database that is opened for this run. */
  database?: TestDatabase
  postgresUrl?: string
  /** Shrinks a failing schedule; without it the first one found is reported. */
  shrink?: boolean
}

export interface ChaosReport {
  runs: number
  /** Each failing schedule in words, with what was violated and what happened. */
  violations: string[]
  /** How often each fault and each situation was met, by its name. */
  hits: Map<string, number>
}

/** Plays random schedules and reports those that break a promise, a few at most. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  if (options.database !== undefined) return playOn(options.database, options)
  const db = await openInProcessDatabase(options.postgresUrl === undefined ? {} : { postgresUrl: options.postgresUrl })
  try {
    return await playOn(db, options)
  } finally {
    await db.close()
  }
}

async function playOn(db: TestDatabase, options: ChaosOptions): Promise<ChaosReport> {
  const signed = await signPayments(db.database)
  await MUTANTS[options.mutant ?? 'none'].prepare?.(db.database)
  return explore(db, signed, options)
}

const MAX_VIOLATIONS = 3

async function explore(
  db: TestDatabase,
  signed: readonly SignedPayment[],
  { runs, seed, mutant = 'none', shrink = true }: ChaosOptions,
): Promise<ChaosReport> {
  const report: ChaosReport = { runs: 0, violations: [], hits: new Map(ALL_NAMES.map((name) => [name, 0])) }
  let failing: string | null = null
  const property = fc.asyncProperty(schedules(signed.length), async (schedule) => {
    const { violation, trace, hits } = await play(db, signed, schedule, MUTANTS[mutant])
    if (failing === null) {
      report.runs += 1
      for (const [name, count] of hits) report.hits.set(name, (report.hits.get(name) ?? 0) + count)
    }
    if (violation === null) return
    failing = describeFailure(schedule, signed, violation, trace)
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
    if (failing === null) throw new Error(`the checker itself failed: ${String(result.errorInstance)}`)
    report.violations.push(failing)
    if (!shrink) break
  }
  return report
}

function describeFailure(
  schedule: Schedule,
  signed: readonly SignedPayment[],
  violation: string,
  trace: string[],
): string {
  const nameOf = (payment: number): string => {
    const number = payment % schedule.payments.length
    return `payment ${number} (${signed[(schedule.payments[number] ?? 0) % signed.length]?.name})`
  }
  return [`Violated: ${violation}`, describeSchedule(schedule, nameOf), '', 'What happened:', ...trace].join('\n')
}
