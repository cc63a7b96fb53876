import { formatAmount, parseAmount, USDC_DECIMALS } from '@coinslot/client/money'
import { DECIMAL_MARK, LANGUAGE } from '../words/en.ts'

export const AIC_DECIMALS = 18

const DECIMAL = /^\d+(\.\d+)?$/

function isDecimal(value: string): value is `${number}` {
  return DECIMAL.test(value)
}

/** Below a thousand, nothing but the mark is the language's own. */
const PLAIN = /^(0|[1-9]\d{0,2})(?:\.(\d{1,18}))?$/

/**
 * A decimal string for people, every digit kept, trailing zeros dropped down to two decimals:
 * `'0.010000'` is `0.01`, `'0.001234'` is `0.001234`, `'1250.500000'` is `1,250.50`. Nothing passes through a float. Small numbers
 * are written here, as Intl would: whoever asks Intl first waits some 25 ms (100 on a phone) while it looks at all its languages.
 */
export function formatDecimal(value: string, minDecimals = 2): string {
  const [, whole, fraction = ''] = PLAIN.exec(value) ?? []
  if (whole !== undefined) {
    const shown = fraction.replace(/0+$/, '').padEnd(minDecimals, '0')
    return shown === '' ? whole : whole + DECIMAL_MARK + shown
  }
  if (!isDecimal(value)) return value
  return new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: minDecimals, maximumFractionDigits: 18 }).format(
    value,
  )
}

/** An AIC balance in whole and at most two decimals, rounded down: 999.999 is never shown as 1,000. */
export function formatAic(value: string): string {
  if (!isDecimal(value)) return value
  const [whole = '0', fraction = ''] = value.split('.')
  const cents = fraction.slice(0, 2).replace(/0+$/, '')
  const cut = cents === '' ? whole : `${whole}.${cents}`
  return isDecimal(cut) ? new Intl.NumberFormat(LANGUAGE).format(cut) : cut
}

/**
 * The rate per second that gives exactly `cost` for `seconds`, or null where rounding hides it.
 * Both are decimal strings; the rate has at most 9 decimals.
 */
export function exactRate(cost: string, seconds: number): string | null {
  const thousandths = BigInt(Math.round(seconds * 1000))
  if (thousandths <= 0n || !isDecimal(cost)) return null
  const nanoUsdc = parseAmount(cost, USDC_DECIMALS) * 1000n * 1000n
  return nanoUsdc % thousandths === 0n ? formatAmount(nanoUsdc / thousandths, 9) : null
}
