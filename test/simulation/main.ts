import { parseArgs } from 'node:util'
import { ALL_FAULTS } from './faults.ts'
import { BREAKS, type BreakName } from './mutants.ts'
import { runChaos } from './run.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    break: { type: 'string' },
    'postgres-url': { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
  },
})

const isBreak = (name: string): name is BreakName => Object.hasOwn(BREAKS, name) && name !== 'none'

function breakOf(name: string | undefined): BreakName {
  if (name === undefined) return 'none'
  if (isBreak(name)) return name
  console.error(`--break takes one of ${Object.keys(BREAKS).filter(isBreak).join(', ')}`)
  return process.exit(2)
}

const seed = Number(values.seed)
const sabotage = breakOf(values.break)
const postgresUrl = values['postgres-url']
const startedAt = Date.now()
const report = await runChaos({
  runs: Number(values.runs),
  seed,
  sabotage,
  shrink: !values['no-shrink'],
  ...(postgresUrl !== undefined && { postgresUrl }),
})

for (const violation of report.violations) console.log(`${violation}\n`)
const names = new Set([...ALL_FAULTS.map(({ op, kind }) => `${op}: ${kind}`), ...report.hits.keys()])
const width = Math.max(...[...names].map((name) => name.length))
for (const name of [...names].sort()) console.log(`${name.padEnd(width)}  ${report.hits.get(name) ?? 0}`)
const seconds = Math.round((Date.now() - startedAt) / 1000)
console.log(`\nseed ${seed}, ${seconds} s`)
console.log(`${report.runs} schedules, ${report.violations.length} violations`)
// Streams of killed workers keep their heartbeats; nothing waits for them.
process.exit(report.violations.length === 0 ? 0 : 1)
