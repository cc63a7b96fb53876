import { formatAmount, USDC_DECIMALS } from '../../../protocol/money.ts'
import { AIC_DECIMALS, formatAic, formatDecimal } from '../../shared/money.ts'
import { times } from './messages/active.ts'
import { twoDigits } from './messages/times.ts'

/** Atomic USDC as `1,250.50`. */
export const usdc = (atomic: bigint): string => formatDecimal(formatAmount(atomic, USDC_DECIMALS))

/** Atomic AIC as `1,250.5`, rounded down. */
export const aic = (atomic: bigint): string => formatAic(formatAmount(atomic, AIC_DECIMALS))

const MS_PER_SECOND = 1_000

/** `Nov 27, 2026, 4:05 PM` of Unix seconds, in the browser's time zone. */
export function moment(seconds: number): string {
  const date = new Date(seconds * MS_PER_SECOND)
  return times.moment({
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: twoDigits(date.getMinutes()),
  })
}

const PERCENT_DECIMALS = 2
/** `12.5%` of basis points. */
export const percent = (bps: number): string =>
  times.percent(formatDecimal(formatAmount(BigInt(bps), PERCENT_DECIMALS), 0))

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `3 days, 4 hours`: the two largest units. */
export function span(seconds: number): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  let rest = seconds
  const parts = (first === -1 ? UNITS.slice(-1) : UNITS.slice(first, first + 2)).flatMap(([unit, size], index) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 && index > 0 ? [] : [times.count[unit](count)]
  })
  return parts.reduce(times.join)
}
