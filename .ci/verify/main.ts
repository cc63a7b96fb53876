import { mkdir } from 'node:fs/promises'
import { MANY, parseFlags, runProgram, UsageError } from '../../client/cli/flags.ts'
import { type FinishedStep, runLanes } from './lanes.ts'
import { writeRecord } from './record.ts'
import { describeCounts, NO_TESTS, sum } from './reports.ts'
import { stopRunning } from './run.ts'
import { CACHE, LANES, LAST, type Step } from './steps.ts'

const SLOWEST_FILES = 10
const NAMES = [...LANES.flat(), ...LAST].map(({ name }) => name)

const HELP = `npm test -- [STEP …] [--long]

Runs the steps, some of them side by side, and stops at the first that fails: ${NAMES.map((name) => `"${name}"`).join(', ')}.

  --long  include the steps that take long
  --help  print this text
`

async function main(args: readonly string[]): Promise<boolean> {
  const { values, positionals: chosen } = parseFlags(args, { long: { type: 'boolean', default: false } }, MANY)
  const unknown = chosen.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no step ${unknown}. Known: ${NAMES.join(', ')}`)
  const isWanted = ({ name, long }: Step) => (chosen.length > 0 ? chosen.includes(name) : values.long || !long)
  const lanes = LANES.map((steps) => steps.filter(isWanted))
  await mkdir(CACHE, { recursive: true })
  const began = performance.now()
  const finished = await runLanes(lanes, LAST.filter(isWanted), printStep)
  const seconds = (performance.now() - began) / 1_000
  const ok = finished.every((step) => step.ok)
  printSummary(finished, seconds)
  if (ok && chosen.length === 0 && !values.long) await writeRecord(seconds)
  return ok
}

const print = (text: string): boolean => process.stdout.write(text)
const inSeconds = (seconds: number): string => `${seconds.toFixed(1).padStart(6)} s`

function printStep({ ok, name, seconds, report, skipped, output }: FinishedStep): void {
  const note = skipped !== undefined ? 'skipped' : report ? describeCounts(report.counts) : ''
  print(`${ok ? '✓' : '✗'} ${name.padEnd(16)} ${inSeconds(seconds)}  ${note}\n`)
  if (!ok) print(`\n${output.trimEnd()}\n\n`)
}

/** Where time went, what was left out, and the counts as the last line. */
function printSummary(finished: readonly FinishedStep[], seconds: number): void {
  const files = finished.flatMap(({ report }) => report?.files ?? [])
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES)
  print(`\n${'all steps'.padEnd(18)} ${inSeconds(seconds)}\n`)
  if (slowest.length > 0) print('slowest files:\n')
  for (const file of slowest) print(`${inSeconds(file.seconds)}  ${file.path}\n`)
  for (const { name, skipped } of finished) if (skipped !== undefined) print(`skipped: ${name}, ${skipped}\n`)
  print(`${describeCounts(finished.map(countsOf).reduce(sum, NO_TESTS))}\n`)
}

/** A failed step without a failed test, such as lint or a runner that crashed, counts as one failure. */
function countsOf({ ok, report }: FinishedStep) {
  const counts = report?.counts ?? NO_TESTS
  return ok || counts.failed > 0 ? counts : sum(counts, { ...NO_TESTS, failed: 1 })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopRunning()
    process.exit(130)
  })
}
await runProgram(HELP, main)
