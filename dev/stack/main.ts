import { runProgram } from '../../client/cli/flags.ts'
import { UsageError } from '../../client/node/errors.ts'
import { treasuryKey } from '../anvil/accounts.ts'
import { isPortFree } from '../process/ports.ts'
import { openDevVars } from './dev-vars.ts'
import { HELP, parseStackFlags } from './flags.ts'
import { createPrinter, type Printer } from './printer.ts'
import { startStack } from './stack.ts'
import { publishStackFile, type StackFile } from './stack-file.ts'
import { readyLine } from './stack-info.ts'

await runProgram(HELP, async (args) => {
  const flags = parseStackFlags(args)
  const printer = createPrinter(flags)
  const stopper = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopper.abort())
  watchParent(() => stopper.abort())

  const devVars = flags.writeDevVars ? await openDevVars() : null
  if (devVars !== null && devVars.port === flags.port) {
    throw new UsageError(`--port ${flags.port} is that of wrangler dev: choose another, or leave --port out`)
  }
  let stackFile: StackFile | undefined
  const stack = await startStack({
    ...flags,
    ...(devVars && { firstPort: devVars.port + 1 }),
    shell: process.env,
    onEvent: printer.event,
    onWorkerPid: (info) => void stackFile?.update(info),
  })
  stackFile = publishStackFile(stack.info, { ...stack.env, SPLIT_PRIVATE_KEY: treasuryKey().privateKey })
  const other = await stackFile.heldBy
  const overruled = await devVars?.write(stack.env).catch(async (error: unknown) => {
    await stackFile?.remove()
    await stack.stop()
    throw error
  })
  if (flags.json) process.stdout.write(`${readyLine(stack.info)}\n`)
  printer.ready(stack.info)
  if (devVars !== null) await showDevVars(printer, devVars.port, overruled ?? [])
  if (other !== null) printer.line(`  Other commands use the stack at ${other}, which started first, until it ends.\n`)
  await untilAborted(stopper.signal)
  printer.line('Stopping …')
  await devVars?.remove().catch((error: unknown) => {
    printer.event({ kind: 'warning', text: `the lines in .dev.vars stay: ${error}` })
  })
  await stackFile.remove()
  await stack.stop()
  return true
})

/** Says what was written, and what of a person's own file does not count meanwhile. */
async function showDevVars({ event, line }: Printer, port: number, overruled: readonly string[]): Promise<void> {
  const warn = (text: string): void => event({ kind: 'warning', text })
  line(`  .dev.vars is written: \`npx wrangler dev\` serves the API at http://localhost:${port} until this stack ends.`)
  if (!(await isPortFree(port))) warn(`port ${port} is in use: end what listens there before \`npx wrangler dev\``)
  if (overruled.length > 0) {
    warn(`your own lines in .dev.vars stay, but the stack's values count until it ends: ${overruled.join(', ')}`)
  }
}

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
