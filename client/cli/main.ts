import { UsageError } from '../node/errors.ts'
import { PROGRAM, VERSION } from '../node/program.ts'
import { useProxyOf } from '../node/proxy.ts'
import type { Command } from './command.ts'
import { EXIT, exitCodeOf, printError } from './exit.ts'

/** Each command is loaded when it is called: together they load for half a second. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  models: async () => (await import('./commands/models.ts')).models,
  estimate: async () => (await import('./commands/estimate.ts')).estimate,
  run: async () => (await import('./commands/run.ts')).run,
  history: async () => (await import('./commands/history.ts')).history,
  get: async () => (await import('./commands/get.ts')).get,
  receipt: async () => (await import('./commands/receipt.ts')).receipt,
  payments: async () => (await import('./commands/payments.ts')).payments,
  wrap: async () => (await import('./commands/wrap.ts')).wrap,
  keystore: async () => (await import('./commands/keystore.ts')).keystore,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
}

const COMMON_HELP = `Flags of every command:
  --origin URL          the service (or COINSLOT_ORIGIN; default: the local stack of \`npm start\`)
  --keystore FILE       an encrypted key (or COINSLOT_KEYSTORE); else the variable COINSLOT_PRIVATE_KEY;
                        else, on the dev chain only, the local stack's first buyer
  --password-file FILE  its password (or COINSLOT_PASSWORD_FILE, COINSLOT_PASSWORD; else it is asked for)
  --chain-id N          the only chain to pay on (or COINSLOT_CHAIN_ID; default: Ethereum, else the service's first)
  --json                results on stdout as JSON, an error on stderr as JSON
  --quiet               no progress on stderr
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY count as they do elsewhere; this machine is never called through a proxy
  --via URL             send every call there instead, e.g. through a proxy (or COINSLOT_VIA)
`

const EXIT_HELP = `Exit codes: 0 done · 1 unexpected · 2 wrong command line or key · 3 refused, nothing charged unless it says so
  4 above --max-usdc, --budget or the balance, or not on that chain, nothing signed · 5 no connection, nothing signed
  6 paid or maybe paid, no result yet, the payment is kept: \`run --resume\`, \`payments\` · 7 paid, and the run failed
  8 an invalid receipt · 130 ended with Ctrl-C; it says whether a payment is kept
  Of \`wrap\`: 1 the transaction failed · 4 nothing was sent · 6 it was sent, and is not seen on the chain yet
`

async function mainHelp(): Promise<string> {
  const commands = Object.entries(COMMANDS).map(async ([name, load]) => {
    return `  ${name.padEnd(10)}${(await load()).summary}`
  })
  const rows = await Promise.all(commands)
  return `coinslot buys inferences: one signature, no gas, one result.\n\n${rows.join('\n')}\n  help      this text; "help run" shows the flags of run\n\n${COMMON_HELP}\n${EXIT_HELP}`
}

const ASKS_HELP = ['help', '--help', '-h']
const ASKS_VERSION = ['version', '--version']

async function main(argv: readonly string[]): Promise<void> {
  const [first = 'help', ...rest] = argv
  if (ASKS_VERSION.includes(first)) return print(`coinslot ${VERSION}\n`)
  if (ASKS_HELP.includes(first))
    return print(rest[0] === undefined ? await mainHelp() : helpOf(await commandOf(rest[0])))
  const command = await commandOf(first)
  const flags = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length)
  if (flags.some((word) => word === '--help' || word === '-h')) return print(helpOf(command))
  await useProxyOf(process.env)
  await command.run(rest)
}

async function commandOf(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (load !== undefined) return load()
  if (name.startsWith('-')) throw new UsageError(`The command comes first: ${PROGRAM} COMMAND ${name} …`)
  throw new UsageError(`There is no command ${name}. Commands: ${Object.keys(COMMANDS).join(', ')}, help.`)
}

const helpOf = ({ usage, help = '' }: Command): string =>
  `coinslot ${usage}\n\n${help}${help === '' ? '' : '\n'}${COMMON_HELP}`

const print = (text: string): void => void process.stdout.write(text)

// A closed pipe (`| head -1`) does not end the program: a purchase continues.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    printError(new Error(`The output cannot be written: ${error.message}`), false)
    process.exitCode = EXIT.unexpected
  })
}

const argv = process.argv.slice(2)
try {
  await main(argv)
} catch (error) {
  printError(error, argv.includes('--json'))
  process.exitCode = exitCodeOf(error)
}
