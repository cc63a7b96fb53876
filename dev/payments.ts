import { parsePaymentsFlags } from './payments/flags.ts'
import { openJournal } from './payments/journal.ts'
import { runPayments } from './payments/run.ts'

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
