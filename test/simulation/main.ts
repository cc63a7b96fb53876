import { choiceFlag, integerFlag, parseFlags, runProgram } from '../../client/cli/flags.ts'
import { GUARDS } from './mutants.ts'
import { type ChaosReport, runChaos } from './run.ts'

const HELP = `npm run chaos -- [facilitator] [flags]

Plays random schedules of buyers, faults and workers against the purchase, and reports each one that breaks a promise.
\`facilitator\`: the same against the facilitator's batches and keys, with its own flags.

  --runs N            how many schedules (default 300)
  --seed N            for the same schedules again (default: drawn, and shown)
  --break NAME        remove a guard; the run must then report violations (${GUARDS.join(', ')})
  --postgres-url URL  a PostgreSQL server instead of PGlite
  --no-shrink         report the first failing schedule as it is
  --help              this text
`

const OPTIONS = {
  runs: { type: 'string', default: '300' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  break: { type: 'string' },
  'postgres-url': { type: 'string' },
  'no-shrink': { type: 'boolean', default: false },
} as const

if (process.argv[2] === 'facilitator') {
  process.argv.splice(2, 1)
  await import('./facilitator/main.ts')
} else await runProgram(HELP, main)

async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseFlags(args, OPTIONS)
  const seed = integerFlag('--seed', values.seed, { min: 0 })
  const mutant = values.break === undefined ? 'none' : choiceFlag('--break', values.break, GUARDS)
  const postgresUrl = values['postgres-url']
  const startedAt = Date.now()
  const report = await runChaos({
    runs: integerFlag('--runs', values.runs),
    seed,
    mutant,
    shrink: !values['no-shrink'],
    ...(postgresUrl !== undefined && { postgresUrl }),
  })
  printReport(report)
  console.log(`\nseed ${seed}, ${Math.round((Date.now() - startedAt) / 1000)} s`)
  console.log(`${report.runs} schedules, ${report.violations.length} violations`)
  return report.violations.length === 0
}

function printReport({ violations, hits }: ChaosReport): void {
  for (const violation of violations) console.log(`${violation}\n`)
  const names = [...hits.keys()].sort()
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) console.log(`${name.padEnd(width)}  ${hits.get(name)}`)
}
