import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { integerFlag, MANY, parseFlags, runProgram } from '../client/cli/flags.ts'
import { UsageError } from '../client/node/errors.ts'
import type { BenchContext, Benchmark } from './benchmark.ts'
import { bundle } from './benchmarks/bundle.ts'
import { costly } from './benchmarks/costly.ts'
import { growth } from './benchmarks/growth.ts'
import { media } from './benchmarks/media.ts'
import { memory } from './benchmarks/memory.ts'
import { ownTime } from './benchmarks/own-time.ts'
import { paid } from './benchmarks/paid.ts'
import { settle } from './benchmarks/settle.ts'
import { site } from './benchmarks/site.ts'
import { start } from './benchmarks/start.ts'
import { storm } from './benchmarks/storm.ts'
import { unpaid } from './benchmarks/unpaid.ts'
import { printBytes } from './bytes.ts'
import { benchmarkDocument, currentCommit, machine } from './report/document.ts'
import { readOutcomes, withMeasured, writeOutcomes } from './report/record.ts'
import { readmeTable, withTable } from './report/tables.ts'
import { type Outcome, terminalTable } from './report/terminal.ts'

const DOCUMENT = join(import.meta.dirname, '../docs/benchmarks.md')
const README = join(import.meta.dirname, '../README.md')
const BENCHMARKS: readonly Benchmark[] = [
  unpaid,
  paid,
  ownTime,
  bundle,
  site,
  growth,
  costly,
  storm,
  memory,
  settle,
  media,
  start,
]

/** How long one benchmark may take, without the minutes of `--minutes`. */
const SECTION_MINUTES = 12

const HELP = `npm run bench -- [NAME …] [--write] [--quick] [--minutes N]

Measures ${BENCHMARKS.map(({ name }) => name).join(', ')}: all, or those named, whose notes are printed too.
A whole run takes about half an hour and writes docs/benchmarks.md and the short table of the README. A benchmark that
fails, or takes more than ${SECTION_MINUTES} minutes, is written as not measured; the others still run.
\`bytes\` alone prints the size of each part of the worker's bundle.

  --write      write the named ones too, and leave the others as they were
  --quick      less of everything, for a look; writes nothing
  --minutes N  how long the load of \`memory\` lasts (default 2)
  --help       this text
`

const OPTIONS = {
  write: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  minutes: { type: 'string' },
} as const

async function main(args: readonly string[]): Promise<boolean> {
  if (args.length === 1 && args[0] === 'bytes') {
    await printBytes()
    return true
  }
  const { values, positionals: names } = parseFlags(args, OPTIONS, MANY)
  const minutes = values.minutes === undefined ? undefined : integerFlag('--minutes', values.minutes)
  const scale = { quick: values.quick, minutes }
  const unknown = names.find((name) => !BENCHMARKS.some((one) => one.name === name))
  if (unknown !== undefined) {
    throw new UsageError(`There is no benchmark ${unknown}. Known: ${BENCHMARKS.map(({ name }) => name).join(', ')}`)
  }
  const chosen = BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name))
  if (values.write && values.quick) throw new UsageError('A quick look is not written: --write or --quick')
  const outcomes: Outcome[] = []
  for (const benchmark of chosen) outcomes.push(await measure(benchmark, scale))
  console.log(`\n${terminalTable(outcomes)}`)
  if (names.length > 0) for (const note of outcomes.flatMap(({ notes }) => notes)) console.log(`\n${note}`)
  if (values.write || (names.length === 0 && !scale.quick)) await write(outcomes)
  return outcomes.every(({ failure }) => failure === undefined)
}

/** Puts what was measured into the page and, in short, into the README. */
async function write(measured: readonly Outcome[]): Promise<void> {
  const order = BENCHMARKS.map(({ name }) => name)
  const isWhole = measured.length === order.length
  const outcomes = withMeasured(isWhole ? [] : await readOutcomes(), measured, order)
  await writeOutcomes(outcomes)
  await writeFile(DOCUMENT, benchmarkDocument(outcomes))
  await writeFile(README, withTable(await readFile(README, 'utf8'), readmeTable(outcomes)))
  console.log('\nwritten to docs/benchmarks.md, and in short to README.md')
}

type Cleanup = () => Promise<void> | void

/** The parts that the benchmark under way has to end. */
const cleanups: Cleanup[] = []

async function cleanUp(): Promise<void> {
  for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop()) {
    try {
      await next()
    } catch (error) {
      console.error(error)
    }
  }
}

/** The start of an error's text, for a cell of the table. */
const oneLine = (error: unknown): string => String(error).replaceAll(/\s+/g, ' ').slice(0, 160)

type Scale = Pick<BenchContext, 'quick' | 'minutes'>

/** Rejects when a benchmark takes too long. What it started is ended by its cleanups. */
async function within<Result>(minutes: number, work: Promise<Result>): Promise<Result> {
  const timer = new AbortController()
  const late = setTimeout(minutes * 60_000, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not done after ${minutes} minutes`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    late.catch(() => {})
  }
}

/** Runs one benchmark. A fault is its outcome: the others still run. */
async function measure({ name, title, run }: Benchmark, scale: Scale): Promise<Outcome> {
  const say = (text: string): void => console.log(`${name}: ${text}`)
  const dir = await mkdtemp(join(tmpdir(), 'coinslot-bench-'))
  cleanups.push(() => rm(dir, { recursive: true, force: true }))
  const began = performance.now()
  const seconds = (): number => (performance.now() - began) / 1000
  const when = { taken: new Date().toISOString(), commit: currentCommit(), machine: machine() }
  say(title)
  try {
    const work = run({ ...scale, dir, say, defer: (cleanup) => void cleanups.push(cleanup) })
    const result = await within(SECTION_MINUTES + (scale.minutes ?? 0), work)
    return { name, title, ...result, seconds: seconds(), ...when }
  } catch (error) {
    console.error(error)
    return { name, title, figures: [], notes: [], seconds: seconds(), failure: oneLine(error), ...when }
  } finally {
    await cleanUp()
    say(`${seconds().toFixed(1)} s`)
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    cleanUp().finally(() => process.exit(130))
  })
}
await runProgram(HELP, main)
