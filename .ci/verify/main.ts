import { MANY, parseFlags, runProgram } from '../../client/cli/flags.ts'
import { UsageError } from '../../client/node/errors.ts'
import { countsIn, describeCounts, NO_TESTS, sum } from './counts.ts'
import { type FinishedStep, runLanes } from './lanes.ts'
import { stopRunning } from './run.ts'
import { LANES } from './steps.ts'

const NAMES = LANES.flat().map(({ name }) => name)

const HELP = `npm test -- [STEP …] [--long]

Runs the steps, some of them side by side, and stops at the first that fails: ${NAMES.map((name) => `"${name}"`).join(', ')}.

  --long  include the steps that take long
  --help  print this text
`

async function main(args: readonly string[]): Promise<boolean> {
  const { values, positionals: chosen } = parseFlags(args, { long: { type: 'boolean', default: false } }, MANY)
  const unknown = chosen.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no step ${unknown}. Known: ${NAMES.join(', ')}`)
  const lanes = LANES.map((steps) =>
    steps.filter(({ name, long }) => (chosen.length > 0 ? chosen.includes(name) : values.long || !long)),
  )
  const began = performance.now()
  const finished = await runLanes(lanes, printStep)
  const seconds = (performance.now() - began) / 1_000
  printSummary(finished, seconds)
  return finished.every(({ ok }) => ok)
}

const print = (text: string): boolean => process.stdout.write(text)
const inSeconds = (seconds: number): string => `${seconds.toFixed(1).padStart(6)} s`

function printStep({ ok, name, seconds, skipped, output }: FinishedStep): void {
  const counts = countsIn(output)
  const note = skipped !== undefined ? 'skipped' : counts.passed + counts.failed > 0 ? describeCounts(counts) : ''
  print(`${ok ? '✓' : '✗'} ${name.padEnd(16)} ${inSeconds(seconds)}  ${note}\n`)
  if (!ok) print(`\n${output.trimEnd()}\n\n`)
}

/** The steps that were left out, and the counts as the last line. */
function printSummary(finished: readonly FinishedStep[], seconds: number): void {
  print(`\n${'all steps'.padEnd(18)} ${inSeconds(seconds)}\n`)
  for (const { name, skipped } of finished) if (skipped !== undefined) print(`skipped: ${name}, ${skipped}\n`)
  print(`${describeCounts(finished.map(countsOf).reduce(sum, NO_TESTS))}\n`)
}

/** A failed step without a failed test, such as lint or a runner that crashed, counts as one failure. */
function countsOf({ ok, output }: FinishedStep) {
  const counts = countsIn(output)
  return ok || counts.failed > 0 ? counts : sum(counts, { ...NO_TESTS, failed: 1 })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopRunning()
    process.exit(130)
  })
}
await runProgram(HELP, main)
