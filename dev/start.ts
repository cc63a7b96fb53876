import { readyLine, removeStackFile, writeStackFile } from './stack/facts.ts'
import { HELP, parseFlags, UsageError } from './stack/flags.ts'
import { createPrinter } from './stack/printer.ts'
import { PortTakenError, type Stack, startStack } from './stack/stack.ts'
import { removeWorkerEnv, writeWorkerEnv } from './stack/worker-env-file.ts'

async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2))
  if (flags.help) {
    process.stdout.write(HELP)
    return
  }
  const printer = createPrinter(flags.quiet)
  const stopper = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopper.abort())
  watchParent(() => stopper.abort())

  const stack = await startStack({
    ...flags,
    shell: process.env,
    onEvent: printer.event,
    onWorkerPid: (facts) => void writeStackFile(facts),
  })
  await writeWorkerEnv(stack.env)
  await writeStackFile(stack.facts)
  if (flags.json) process.stdout.write(`${readyLine(stack.facts)}\n`)
  printer.ready(stack.facts)
  await untilAborted(stopper.signal)
  printer.line('Ending …')
  await end(stack)
}

async function end(stack: Stack): Promise<void> {
  if (await removeStackFile(stack.facts.origin)) await removeWorkerEnv()
  await stack.stop()
}

/** npm does not hand a SIGTERM on to us; when it is gone, so is whoever wanted the stack. */
function watchParent(onGone: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && onGone(), 500).unref()
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}

try {
  await main()
  process.exit(0)
} catch (error) {
  const isPlain = error instanceof UsageError || error instanceof PortTakenError
  process.stderr.write(`${isPlain ? error.message : error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
