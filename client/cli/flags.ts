import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { parseAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import { UsageError } from '../node/errors.ts'

/** Flags of every command of `coinslot`. */
const COMMON_OPTIONS = {
  origin: { type: 'string' },
  'chain-id': { type: 'string' },
  keystore: { type: 'string' },
  'password-file': { type: 'string' },
  via: { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig

/** Flags of the commands that pay. */
export const SPENDING_OPTIONS = {
  'max-usdc': { type: 'string' },
  budget: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

/** For programs that take any number of words beside their flags. */
export const MANY = Number.POSITIVE_INFINITY

/** The flags of a command of `coinslot`, and at most `words` words beside them. Throws `UsageError`. */
export const readFlags = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  words = 0,
) => parseFlags(args, { ...COMMON_OPTIONS, ...options }, words)

/** Reads flags strictly, with at most `words` words beside them. Throws `UsageError`. */
export function parseFlags<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  words = 0,
) {
  const parsed = parse(args, options)
  // The word itself is not repeated: it may be a key.
  if (parsed.positionals.length > words)
    throw new UsageError(`Too many words: this takes ${words === 0 ? 'flags only' : 'one word beside its flags'}.`)
  return parsed
}

function parse<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const flag = /'(?:-\w, )?(-{1,2}[\w-]+)[^']*'/.exec(why)?.[1] ?? 'a flag'
    const isKnown = Object.hasOwn(options, flag.slice(2))
    if (isKnown && why.includes('does not take')) throw new UsageError(`${flag} takes no value.`)
    if (isKnown) throw new UsageError(`${flag} needs a value; write one that starts with - as ${flag}=…`)
    const known = Object.keys(options).map((name) => `--${name}`)
    throw new UsageError(`There is no flag ${flag} here. Known flags: ${known.join(' ')}`)
  }
}

/**
 * Runs a program of this repository and ends the process: with 0 when `main` returns true, 1 when it returns false or throws, 2 for
 * a wrong command line. Prints `help` for `--help`.
 */
export async function runProgram(help: string, main: (args: readonly string[]) => Promise<boolean>): Promise<void> {
  const args = process.argv.slice(2)
  if (args.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help)
    return
  }
  try {
    process.exit((await main(args)) ? 0 : 1)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
}

type Flags = Readonly<Record<string, string | boolean | readonly unknown[] | undefined>>

/** A flag or its variable `COINSLOT_…`, read by `read`; the flag wins. Undefined where neither is given. */
export function given<Value>(
  flags: Flags,
  flag: string,
  env: NodeJS.ProcessEnv,
  read: (name: string, text: string) => Value,
): Value | undefined {
  const value = flags[flag]
  if (typeof value === 'string') return read(`--${flag}`, value)
  const variable = `COINSLOT_${flag.toUpperCase().replaceAll('-', '_')}`
  const text = env[variable]
  return text === undefined ? undefined : read(variable, text)
}

/** Ignores an empty variable. Not for limits: an empty limit is a mistake that would remove the limit. */
export const unlessEmpty =
  <Value>(read: (name: string, text: string) => Value) =>
  (name: string, text: string): Value | undefined =>
    text === '' && !name.startsWith('--') ? undefined : read(name, text)

/** A whole number from `min` to `max`. */
export function integerFlag(name: string, text: string, { min = 1, max = Number.MAX_SAFE_INTEGER } = {}): number {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value
  const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`
  throw new UsageError(`${name} ${text}: give a whole number from ${min}${upTo}`)
}

/** One of a few words. */
export function choiceFlag<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text)
  if (choice === undefined) throw new UsageError(`${name} ${text}: give one of ${choices.join(', ')}`)
  return choice
}

/** `0x` and a fixed number of hexadecimal digits, as given. */
export function hexFlag(name: string, text: string, digits: number): `0x${string}` {
  if (!new RegExp(`^0x[0-9a-fA-F]{${digits}}$`).test(text))
    throw new UsageError(`${name} ${text}: give 0x and ${digits} hexadecimal digits`)
  return `0x${text.slice(2)}`
}

/** A decimal string of USDC, as given. */
export function usdcFlag(name: string, text: string): string {
  try {
    parseAmount(text, USDC_DECIMALS)
    return text
  } catch {
    throw new UsageError(`${name} ${text}: give an amount of USDC with at most 6 decimals, e.g. 0.05`)
  }
}

/** An http or https URL, as given. */
export function urlFlag(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError(`${name} ${text}: give a URL that starts with https:// or http://`)
  }
  return text
}

/** The origin of an http or https URL. */
export const originFlag = (name: string, text: string): string => new URL(urlFlag(name, text)).origin
