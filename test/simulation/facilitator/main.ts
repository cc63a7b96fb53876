import { choiceFlag, integerFlag, parseFlags, runProgram } from '../../../client/cli/flags.ts'
import { GUARDS } from './mutants.ts'
import { runFacilitatorChaos } from './run.ts'

const HELP = `npm run chaos -- facilitator [flags]

Plays random schedules of payments, faults, kills and reorganizations against the facilitator's batches and keys, and reports the
first one that breaks a promise.

  --runs N      how many schedules (default 2000)
  --seed N      for the same schedules again (default: drawn, and shown)
  --break NAME  remove a guard; the run must then report a violation (${GUARDS.join(', ')})
  --no-shrink   report the first failing schedule as it is
  --help        this text
`

const OPTIONS = {
  runs: { type: 'string', default: '2000' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  break: { type: 'string' },
  'no-shrink': { type: 'boolean', default: false },
} as const

await runProgram(HELP, async (args) => {
  const { values } = parseFlags(args, OPTIONS)
  const seed = integerFlag('--seed', values.seed, { min: 0 })
  const mutant = values.break === undefined ? 'none' : choiceFlag('--break', values.break, GUARDS)
  const startedAt = Date.now()
  const runs = integerFlag('--runs', values.runs)
  const report = await runFacilitatorChaos({ runs, seed, mutant, shrink: !values['no-shrink'] })
  for (const violation of report.violations) console.log(`${violation}\n`)
  for (const name of [...report.hits.keys()].sort()) console.log(`${name.padEnd(56)}  ${report.hits.get(name)}`)
  console.log(`\nseed ${seed}, ${Math.round((Date.now() - startedAt) / 1000)} s`)
  console.log(`${report.runs} schedules, ${report.violations.length} violations`)
  return report.violations.length === 0
})
