import { parseArgs } from 'node:util'
import { UsageError } from '../../dev/stack/flags.ts'
import { startStack } from '../../dev/stack/stack.ts'
import { findRunningStack, type StackInfo } from '../../dev/stack/stack-info.ts'
import { fuzz } from './run.ts'

const HELP = `npm run fuzz -- [flags]

Throws mutated bodies, headers, paths, cookies and methods at the worker of the stack that runs (start it with --no-limits), or
of one that it starts and ends. Every answer must be one of ours, fast, and tell nothing of the inside; nothing may be charged.

  --requests N     how many (default 2000)
  --seed N         for the same requests again (default: drawn, and shown)
  --concurrency N  how many at once (default 12)
  --own            a stack of its own, also when one runs
  --help           this text
`

interface Flags {
  requests: number
  seed: number
  concurrency: number
  own: boolean
}

function readFlags(argv: readonly string[]): Flags | null {
  const options = {
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    concurrency: { type: 'string', default: '12' },
    own: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const
  const { values } = parseArgs({ args: [...argv], options, strict: true })
  if (values.help) return null
  const number = (name: 'requests' | 'seed' | 'concurrency'): number => {
    const value = Number(values[name])
    if (!Number.isSafeInteger(value) || value < 0)
      throw new UsageError(`--${name} ${values[name]}: give a whole number`)
    return value
  }
  return {
    requests: number('requests'),
    seed: number('seed'),
    concurrency: Math.max(1, number('concurrency')),
    own: values.own,
  }
}

/** A running stack is left running. */
async function openStack(own: boolean): Promise<{ facts: StackInfo; close(): Promise<void> }> {
  const running = own ? null : await findRunningStack()
  if (running !== null) return { facts: running, close: async () => undefined }
  process.stderr.write('starting a stack\n')
  const stack = await startStack({ shell: process.env, site: false, limits: false })
  return { facts: stack.facts, close: () => stack.stop() }
}

async function main(): Promise<void> {
  const flags = readFlags(process.argv.slice(2))
  if (flags === null) return void process.stdout.write(HELP)
  const { facts, close } = await openStack(flags.own)
  try {
    const onProgress = (done: number): void => {
      if (done % 1_000 === 0) process.stderr.write(`${done} requests\n`)
    }
    const report = await fuzz(facts, { ...flags, onProgress })
    for (const line of report.unexpected.slice(0, 20)) process.stdout.write(`${line}\n`)
    process.stdout.write(
      `seed ${flags.seed} · ${report.purchases} purchases on purpose · statuses ${JSON.stringify(report.statuses)}\n`,
    )
    process.stdout.write(
      `slowest answer ${Math.round(report.slowestMs)} ms · ${report.stoodStill} over 2 s only while the machine stood still\n`,
    )
    process.stdout.write(`${report.requests} requests, ${report.unexpected.length} unexpected\n`)
    if (report.unexpected.length > 0) process.exitCode = 1
  } finally {
    await close()
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
