import type { Command } from './command.ts'
import { doctor } from './commands/doctor.ts'
import { estimate } from './commands/estimate.ts'
import { get } from './commands/get.ts'
import { history } from './commands/history.ts'
import { keystore } from './commands/keystore.ts'
import { login } from './commands/login.ts'
import { mcp } from './commands/mcp.ts'
import { models } from './commands/models.ts'
import { payments } from './commands/payments.ts'
import { receipt } from './commands/receipt.ts'
import { run } from './commands/run.ts'
import { exitCodeOf, tellError, UsageError } from './exit.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  login,
  models,
  estimate,
  run,
  history,
  get,
  receipt,
  payments,
  keystore,
  doctor,
  mcp,
}

const COMMON_HELP = `Flags of every command:
  --origin URL          the service (or COINSLOT_ORIGIN; default: the local stack of \`npm start\`)
  --keystore FILE       an encrypted key (or COINSLOT_KEYSTORE); else the variable COINSLOT_PRIVATE_KEY;
                        else, on the dev chain only, the local stack's first buyer
  --password-file FILE  its password (or COINSLOT_PASSWORD_FILE, COINSLOT_PASSWORD; else it is asked for)
  --chain-id N          the network to sign in and pay on (or COINSLOT_CHAIN_ID; default: the service's first)
  --json                results on stdout as JSON, an error on stderr as JSON
  --quiet               no progress on stderr
  --via URL             send every call there instead, e.g. through a proxy (or COINSLOT_VIA)
`

const EXIT_HELP = `Exit codes: 0 done · 1 unexpected · 2 wrong command line or key · 3 refused, nothing charged unless it says so
  4 above --max-usdc, --budget or the balance, nothing signed · 5 no connection, nothing signed
  6 paid or maybe paid, no result yet, the payment is kept: \`run --resume\`, \`payments\` · 7 paid, and the run failed
  8 a receipt that does not hold
`

function mainHelp(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  return `coinslot buys inferences: one signature, no gas, one result.\n\n${rows.join('\n')}\n  help      this text; "help run" tells the flags of run\n\n${COMMON_HELP}\n${EXIT_HELP}`
}

async function main(argv: readonly string[]): Promise<void> {
  const isAsking = argv[0] === 'help' || argv.includes('--help')
  const [name, ...args] = argv.filter((word, at) => !(isAsking && (word === '--help' || (at === 0 && word === 'help'))))
  if (name === undefined) return print(mainHelp())
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    throw new UsageError(`There is no command ${name}. Commands: ${Object.keys(COMMANDS).join(', ')}.`)
  }
  if (isAsking) return print(`coinslot ${command.usage}\n\n${command.help ?? ''}\n${COMMON_HELP}`)
  await command.run(args)
}

const print = (text: string): void => void process.stdout.write(text)

// A reader that has seen enough (`| head -1`) ends nothing: a purchase goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const argv = process.argv.slice(2)
try {
  await main(argv)
} catch (error) {
  tellError(error, argv.includes('--json'))
  process.exitCode = exitCodeOf(error)
}
