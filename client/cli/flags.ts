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

/** The flags of a command and the words after them. Throws `UsageError` for a flag it does not know. */
export function readFlags<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    const all = { ...COMMON_OPTIONS, ...options }
    return parseArgs({ args: [...args], options: all, strict: true, allowPositionals: true })
  } catch (error) {
    const known = Object.keys({ ...COMMON_OPTIONS, ...options }).map((name) => `--${name}`)
    const why = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    throw new UsageError(`${why}. Known flags: ${known.join(' ')}`)
  }
}

/** A whole number of at least `min`. */
export function integerFlag(name: string, text: string, min = 1): number {
  const value = Number(text)
  if (!/^\d{1,15}$/.test(text) || value < min) throw new UsageError(`${name} ${text}: give a whole number from ${min}`)
  return value
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
