import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MANY, parseFlags, runProgram, UsageError } from '../../client/cli/flags.ts'
import { describeCounts, NO_TESTS, sum } from './counts.ts'
import { writeRecord } from './record.ts'
import { killRunning } from './run.ts'
import { ROOT, STEPS, type Step } from './steps.ts'

const HELP = `npm test -- [STEP …] [--long]

Runs the steps in order and stops at the first that fails: ${STEPS.map(({ name }) => `"${name}"`).join(', ')}.

  --long  those that take long as well
  --help  this text
`

async function main(args: readonly string[]): Promise<boolean> {
  const { values, positionals: names } = parseFlags(args, { long: { type: 'boolean', default: false } }, MANY)
  const isLong = values.long
  const unknown = names.find((name) => !STEPS.some((step) => step.name === name))
  if (unknown !== undefined) {
    throw new UsageError(`There is no step ${unknown}. Known: ${STEPS.map(({ name }) => name).join(', ')}`)
  }
  const chosen = STEPS.filter(({ name, long }) => (names.length > 0 ? names.includes(name) : isLong || !long))
  await mkdir(join(ROOT, 'node_modules/.cache/verify'), { recursive: true })
  const began = performance.now()
  const ok = await runSteps(chosen)
  if (ok && names.length === 0 && !isLong) await writeRecord((performance.now() - began) / 1_000)
  return ok
}

async function runSteps(steps: readonly Step[]): Promise<boolean> {
  let total = NO_TESTS
  const notes: string[] = []
  let ok = true
  for (const step of steps) {
    const began = performance.now()
    const result = await step.run()
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    total = sum(total, result.counts ?? NO_TESTS)
    if (result.skipped !== undefined) notes.push(`skipped: ${step.name}, ${result.skipped}`)
    const note = result.skipped !== undefined ? 'skipped' : result.counts ? describeCounts(result.counts) : ''
    process.stdout.write(`${result.ok ? '✓' : '✗'} ${step.name.padEnd(16)} ${seconds.padStart(6)} s  ${note}\n`)
    if (result.ok) continue
    process.stdout.write(`\n${result.output.trimEnd()}\n\n`)
    // A step that is no test runner, or a runner that fell over, is one failure.
    if ((result.counts?.failed ?? 0) === 0) total = sum(total, { ...NO_TESTS, failed: 1 })
    ok = false
    break
  }
  for (const note of notes) process.stdout.write(`${note}\n`)
  process.stdout.write(`${describeCounts(total)}\n`)
  return ok
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    killRunning()
    process.exit(130)
  })
}
await runProgram(HELP, main)
