import { formatAmount } from '@coinslot/client/money'
import { AIC_DECIMALS, formatDecimal } from '../../src/lib/money.ts'
import { LANGUAGE, messages } from './messages/en.ts'

const USDC_DECIMALS = 6
const ALL_BPS = 10_000n

const compactNumber = new Intl.NumberFormat(LANGUAGE, { notation: 'compact', maximumFractionDigits: 1 })
const percentNumber = new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: 1 })
const dateAndTime = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' })

/** `1,250.5` of atomic USDC, every digit kept. */
export const usdc = (atomic: bigint): string => formatDecimal(formatAmount(atomic, USDC_DECIMALS), 2)

/** Atomic USDC without its fraction, rounded down: for large sums. */
export const wholeUsdc = (atomic: bigint): string => formatDecimal(String(atomic / 10n ** BigInt(USDC_DECIMALS)), 0)

/** Atomic AIC with at most two decimals, rounded down. */
export function aic(atomic: bigint): string {
  const [whole = '0', digits = ''] = formatAmount(atomic, AIC_DECIMALS).split('.')
  return formatDecimal(`${whole}.${digits.slice(0, 2)}`, 0)
}

/** `1.2M` of atomic units. */
export const compact = (atomic: bigint, decimals: number): string =>
  compactNumber.format(Number(formatAmount(atomic, decimals)))
export const compactUsdc = (atomic: bigint): string => compact(atomic, USDC_DECIMALS)
export const compactAic = (atomic: bigint): string => compact(atomic, AIC_DECIMALS)

/** `12.5%` of a part; 0 when the whole is 0, and `< 0.1%` when it is less than that. */
export function percent(part: bigint, whole: bigint): string {
  const bps = whole === 0n ? 0n : (part * ALL_BPS) / whole
  if (part > 0n && whole > 0n && bps < 10n) return `< ${percentOfBps(10)}`
  return percentOfBps(Number(bps))
}
export const percentOfBps = (bps: number): string => percentNumber.format(bps / Number(ALL_BPS))

/** A whole number or block with separators. */
export const number = (value: number | bigint): string => formatDecimal(String(value), 0)

/** `Nov 27, 2026, 4:05 PM` of Unix seconds, in the reader's time zone. */
export const moment = (seconds: number): string => dateAndTime.format(new Date(seconds * 1_000))

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** `3 d 4 h`, `12 min 5 s`: the two largest units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const first = UNITS.findIndex(([, size]) => whole >= size)
  if (first === -1) return '0 s'
  let rest = whole
  const parts = UNITS.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return parts.join(' ')
}

/** `50 h`, rounded down. */
export const hours = (seconds: number): string => messages.hours(number(Math.floor(seconds / 3_600)))

/** Hours that are left of a contract's 72 hours of pause. */
export const pauseLeft = (usedSeconds: number): string => hours(72 * 3_600 - usedSeconds)
