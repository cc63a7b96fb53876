import { parsePaymentsFlags } from './flags.ts'
import { openJournal } from './journal.ts'
import { runPayments } from './run.ts'

try {
  const flags = parsePaymentsFlags(process.argv.slice(2))
  const result =
    flags.command === 'help' ? { text: flags.text, ok: true } : await runPayments(await openJournal(flags), flags)
  process.stdout.write(`${result.text.trimEnd()}\n`)
  process.exit(result.ok ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(2)
}
