import { runProgram } from '../../client/cli/flags.ts'
import { HELP, parsePaymentsFlags } from './flags.ts'
import { openJournal } from './journal.ts'
import { runPayments } from './run.ts'

await runProgram(HELP, async (args) => {
  const flags = parsePaymentsFlags(args)
  const { text, ok } = await runPayments(await openJournal(flags), flags)
  process.stdout.write(`${text.trimEnd()}\n`)
  return ok
})
