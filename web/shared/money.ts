import { formatAmount, parseAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import { shared } from './texts.ts'

export const AIC_DECIMALS = 18

const DECIMAL = /^\d+(\.\d+)?$/

/**
 * Formats a decimal string. Keeps every digit, and removes trailing zeros down to two decimals: `'0.010000'` is `0.01`,
 * `'0.001234'` is `0.001234`, `'1250.500000'` is `1,250.50` in English. It uses no float, and no Intl: the first number that Intl formats takes a
 * phone as long as building the whole page.
 */
export function formatDecimal(value: string, minDecimals = 2): string {
  if (!DECIMAL.test(value)) return value
  const [whole = '0', digits = ''] = value.split('.')
  const fraction = digits.replace(/0+$/, '').padEnd(minDecimals, '0')
  const { group, decimal, groupFrom } = shared.format
  const plain = whole.replace(/^0+(?=\d)/, '')
  const grouped = plain.length < groupFrom ? plain : plain.replace(/\B(?=(\d{3})+$)/g, group)
  return fraction === '' ? grouped : grouped + decimal + fraction
}

/** Formats a number with the decimals it has: `1,250`. */
export const formatNumber = (value: number): string => formatDecimal(String(value), 0)

const ATOMIC_PER_CENT = 10_000n
/** 99.5 cents: with two digits that is a dollar. */
const DOLLARS_FROM = 995_000n

/** The nearest multiple of `unit`; half is rounded up. */
const roundTo = (value: bigint, unit: bigint): bigint => ((value + unit / 2n) / unit) * unit

/** About what a USDC price is in US money, with two digits: `≈ 0.2 ¢`, `≈ 12 ¢`, `≈ $1.20`. */
export function approximatePrice(usdc: string): string {
  if (!DECIMAL.test(usdc)) return usdc
  const atomic = parseAmount(usdc, USDC_DECIMALS)
  if (atomic >= DOLLARS_FROM)
    return `≈\u00a0${shared.format.dollars(formatDecimal(formatAmount(roundTo(atomic, ATOMIC_PER_CENT), USDC_DECIMALS)))}`
  const unit = 10n ** BigInt(Math.max(0, atomic.toString().length - 2))
  return `≈\u00a0${shared.format.cents(formatDecimal(formatAmount(roundTo(atomic, unit), USDC_DECIMALS - 2), 0))}`
}

/** Formats an AIC balance with at most two decimals, rounded down: 999.999 is never shown as 1,000. */
export function formatAic(value: string): string {
  return formatDecimal(value.replace(/(\.\d\d)\d+$/, '$1'), 0)
}

/**
 * The rate per second whose product with `seconds` is exactly `cost`. Null if rounding makes it ambiguous. Cost and rate are
 * decimal strings; the rate has at most 9 decimals.
 */
export function exactRate(cost: string, seconds: number): string | null {
  const thousandths = BigInt(Math.round(seconds * 1000))
  if (thousandths <= 0n || !DECIMAL.test(cost)) return null
  const nanoUsdc = parseAmount(cost, USDC_DECIMALS) * 1000n * 1000n
  return nanoUsdc % thousandths === 0n ? formatAmount(nanoUsdc / thousandths, 9) : null
}

/**
 * An amount above zero in atomic units, or null. It has the decimal separator of the page's language and no grouping: in English
 * a comma is refused, because people write `1,5` and `1,500`; in German a point is.
 */
export function readAmount(written: string, decimals: number): bigint | null {
  const { decimal } = shared.format
  if (decimal !== '.' && written.includes('.')) return null
  try {
    const value = parseAmount(written.trim().replace(decimal, '.'), decimals)
    return value > 0n ? value : null
  } catch {
    return null
  }
}

/** An amount as a person would write it in a field: every digit, no grouping. */
export const writeAmount = (atomic: bigint, decimals: number): string =>
  formatAmount(atomic, decimals)
    .replace(/\.?0+$/, '')
    .replace('.', shared.format.decimal)
