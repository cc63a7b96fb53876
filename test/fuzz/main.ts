import { integerFlag, parseFlags, runProgram } from '../../client/cli/flags.ts'
import { startStack } from '../../dev/stack/stack.ts'
import { findRunningStack, type StackInfo } from '../../dev/stack/stack-info.ts'
import { fuzz } from './run.ts'

const HELP = `npm run fuzz -- [flags]

Sends mutated bodies, headers, paths, cookies and methods to the worker of the running stack (start it with --no-limits), or of
one that it starts and stops. Every answer must be documented, quick and without internals; nothing may be charged.

  --requests N     how many (default 2000)
  --seed N         for the same requests again (default: drawn, and shown)
  --concurrency N  how many at once (default 12)
  --own            a separate stack, also when one runs
  --help           this text
`

const OPTIONS = {
  requests: { type: 'string', default: '2000' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  concurrency: { type: 'string', default: '12' },
  own: { type: 'boolean', default: false },
} as const

function readFlags(args: readonly string[]) {
  const { requests, seed, concurrency, own } = parseFlags(args, OPTIONS).values
  return {
    requests: integerFlag('--requests', requests, { min: 0 }),
    seed: integerFlag('--seed', seed, { min: 0 }),
    concurrency: integerFlag('--concurrency', concurrency),
    own,
  }
}

/** A running stack is left running. */
async function openStack(own: boolean): Promise<{ info: StackInfo; close(): Promise<void> }> {
  const running = own ? null : await findRunningStack()
  if (running !== null) return { info: running, close: async () => undefined }
  process.stderr.write('starting a stack\n')
  const stack = await startStack({ shell: process.env, site: false, limits: false })
  return { info: stack.info, close: () => stack.stop() }
}

await runProgram(HELP, async (args) => {
  const flags = readFlags(args)
  const { info, close } = await openStack(flags.own)
  try {
    const onProgress = (done: number): void => {
      if (done % 1_000 === 0) process.stderr.write(`${done} requests\n`)
    }
    const report = await fuzz(info, { ...flags, onProgress })
    for (const line of report.unexpected.slice(0, 20)) process.stdout.write(`${line}\n`)
    process.stdout.write(
      `seed ${flags.seed} · ${report.purchases} purchases on purpose · statuses ${JSON.stringify(report.statuses)}\n`,
    )
    process.stdout.write(
      `slowest answer ${Math.round(report.slowestMs)} ms · ${report.stoodStill} over 2 s that were quick when sent again\n`,
    )
    process.stdout.write(`${report.requests} requests, ${report.unexpected.length} unexpected\n`)
    return report.unexpected.length === 0
  } finally {
    await close()
  }
})
