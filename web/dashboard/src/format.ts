import { formatAmount } from '../../../protocol/money.ts'
import { AIC_DECIMALS, formatDecimal } from '../../shared/money.ts'
import { shared } from '../../shared/texts.ts'
import { formatMoment } from '../../shared/time.ts'
import { messages, pageMessages } from './messages.ts'

const USDC_DECIMALS = 6
const ALL_BPS = 10_000n

/** Made at first use. */
function once<Value>(make: (locale: string) => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make(shared.format.locale)
    return made
  }
}
const compactNumber = once((locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }))
const percentNumber = once((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))
const list = once((locale) => new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }))

/** `1,250.5` of atomic USDC, every digit kept. */
export const usdc = (atomic: bigint): string => formatDecimal(formatAmount(atomic, USDC_DECIMALS), 2)

/** Atomic USDC without its fraction, rounded down: for large sums. */
export const wholeUsdc = (atomic: bigint): string => formatDecimal(String(atomic / 10n ** BigInt(USDC_DECIMALS)), 0)

/** Atomic AIC without its fraction, rounded down: for large sums. */
export const wholeAic = (atomic: bigint): string => formatDecimal(String(atomic / 10n ** BigInt(AIC_DECIMALS)), 0)

/** Atomic AIC with at most two decimals, rounded down. */
export function aic(atomic: bigint): string {
  const [whole = '0', digits = ''] = formatAmount(atomic, AIC_DECIMALS).split('.')
  return formatDecimal(`${whole}.${digits.slice(0, 2)}`, 0)
}

/** `1.2M` of atomic units. */
export const compact = (atomic: bigint, decimals: number): string =>
  compactNumber().format(Number(formatAmount(atomic, decimals)))
export const compactUsdc = (atomic: bigint): string => compact(atomic, USDC_DECIMALS)
export const compactAic = (atomic: bigint): string => compact(atomic, AIC_DECIMALS)

/** `12.5%` of a part; 0 when the whole is 0, and `< 0.1%` when it is less than that. */
export function percent(part: bigint, whole: bigint): string {
  const bps = whole === 0n ? 0n : (part * ALL_BPS) / whole
  if (part > 0n && whole > 0n && bps < 10n) return `\u2066<\u00a0${percentOfBps(10)}\u2069`
  return percentOfBps(Number(bps))
}
export const percentOfBps = (bps: number): string => percentNumber().format(bps / Number(ALL_BPS))

/** A whole number or block with separators. */
export const number = (value: number | bigint): string => formatDecimal(String(value), 0)

/** `Nov 27, 2026, 4:05 PM` of Unix seconds, in the reader's time zone. */
export const moment = (seconds: number): string => formatMoment(new Date(seconds * 1_000).toISOString())

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `3 days 4 hr`, `12 min 5 sec`: the two largest units. */
export function duration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  const first = UNITS.findIndex(([, size]) => rest >= size)
  const parts = (first === -1 ? UNITS.slice(-1) : UNITS.slice(first, first + 2)).flatMap(([unit, size], index) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count === 0 && index > 0) return []
    return [new Intl.NumberFormat(shared.format.locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count)]
  })
  return list().format(parts)
}

/** `50 h`, rounded down. */
export const hours = (seconds: number): string => messages.hours(number(Math.floor(seconds / 3_600)))

/** Hours that are left of a contract's 72 hours of pause. */
export const pauseLeft = (usedSeconds: number): string => hours(72 * 3_600 - usedSeconds)

const nameIn = (names: Readonly<Record<string, string>>, name: string): string =>
  Object.entries(names).find(([known]) => known === name)?.[1] ?? name

/** An allocation in plain words; as the contract names it when it is not one of the specification. */
export const allocationName = (name: string): string => nameIn(messages.allocations, name)

/** A check of the launch in plain words. */
export const checkName = (check: string): string => nameIn(pageMessages.checklist.checks, check)
