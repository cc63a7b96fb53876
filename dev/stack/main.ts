import { runProgram } from '../../client/cli/flags.ts'
import { treasuryKey } from '../anvil/accounts.ts'
import { HELP, parseStackFlags } from './flags.ts'
import { createPrinter } from './printer.ts'
import { startStack } from './stack.ts'
import { publishStackFile, type StackFile } from './stack-file.ts'
import { readyLine } from './stack-info.ts'

await runProgram(HELP, async (args) => {
  const flags = parseStackFlags(args)
  const printer = createPrinter(flags)
  const stopper = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopper.abort())
  watchParent(() => stopper.abort())

  let stackFile: StackFile | undefined
  const stack = await startStack({
    ...flags,
    shell: process.env,
    onEvent: printer.event,
    onWorkerPid: (info) => void stackFile?.update(info),
  })
  stackFile = publishStackFile(stack.info, { ...stack.env, SPLIT_PRIVATE_KEY: treasuryKey().privateKey })
  const other = await stackFile.heldBy
  if (flags.json) process.stdout.write(`${readyLine(stack.info)}\n`)
  printer.ready(stack.info)
  if (other !== null) printer.line(`  Other commands use the stack at ${other}, which started first, until it ends.\n`)
  await untilAborted(stopper.signal)
  printer.line('Stopping …')
  await stackFile.remove()
  await stack.stop()
  return true
})

/** npm does not pass SIGTERM on. When npm ends, the stack ends too. */
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
