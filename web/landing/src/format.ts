import { formatAmount, USDC_DECIMALS } from '@coinslot/client/money'
import { shared } from '../../shared/texts.ts'
import { AIC_DECIMALS, formatAic, formatDecimal } from '../../src/lib/money.ts'

/** Atomic USDC as `1,250.50`. */
export const usdc = (atomic: bigint): string => formatDecimal(formatAmount(atomic, USDC_DECIMALS))

/** Atomic AIC as `1,250.5`, rounded down. */
export const aic = (atomic: bigint): string => formatAic(formatAmount(atomic, AIC_DECIMALS))

/** `Nov 27, 2026, 4:05 PM` of Unix seconds. */
export const moment = (seconds: number): string =>
  new Intl.DateTimeFormat(shared.format.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1_000)

const ALL_BPS = 10_000
/** `12.5%` of basis points. */
export const percent = (bps: number): string =>
  new Intl.NumberFormat(shared.format.locale, { style: 'percent', maximumFractionDigits: 2 }).format(bps / ALL_BPS)

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `3 days, 4 hours`: the two largest units, each on one line. */
export function span(seconds: number): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  let rest = seconds
  const parts = (first === -1 ? UNITS.slice(-1) : UNITS.slice(first, first + 2)).flatMap(([unit, size], index) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count === 0 && index > 0) return []
    const part = new Intl.NumberFormat(shared.format.locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
    return [part.replace(' ', '\u00a0')]
  })
  return new Intl.ListFormat(shared.format.locale, { type: 'unit' }).format(parts)
}
