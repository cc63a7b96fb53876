import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { parseAmount, USDC_DECIMALS } from '../src/money.ts'
import { UsageError } from './exit.ts'

/** Flags of every command. */
export const COMMON_OPTIONS = {
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

/** For commands that count their words themselves. */
export const MANY = Number.POSITIVE_INFINITY

/** The flags of a command and the words beside them: none, one, or as many as there are. Throws `UsageError` for others. */
export function readFlags<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  words = 0,
) {
  const all = { ...COMMON_OPTIONS, ...options }
  const parsed = parse(args, all)
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
    if (isKnown) throw new UsageError(`${flag} needs a value; one that starts with - is given as ${flag}=…`)
    const known = Object.keys(options).map((name) => `--${name}`)
    throw new UsageError(`There is no flag ${flag} here. There are: ${known.join(' ')}`)
  }
}

type Flags = Readonly<Record<string, string | boolean | readonly unknown[] | undefined>>

/** What `read` makes of a flag, else of its variable `COINSLOT_…`, told by its name; undefined where neither is given. */
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

/** For variables that may stand empty. One that sets a limit may not: somebody meant to set it. */
export const unlessEmpty =
  <Value>(read: (name: string, text: string) => Value) =>
  (name: string, text: string): Value | undefined =>
    text === '' && !name.startsWith('--') ? undefined : read(name, text)

/** A whole number from 1. */
export function integerFlag(name: string, text: string, { max = Number.MAX_SAFE_INTEGER } = {}): number {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= 1 && value <= max) return value
  const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`
  throw new UsageError(`${name} ${text}: give a whole number from 1${upTo}`)
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

export function urlFlag(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError(`${name} ${text}: give a URL that starts with https:// or http://`)
  }
  return new URL(text).origin
}
