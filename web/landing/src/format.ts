import { formatAmount, USDC_DECIMALS } from '@coinslot/client/money'
import { shared } from '../../shared/texts.ts'
import { AIC_DECIMALS, formatAic, formatDecimal } from '../../src/lib/money.ts'
import { nextTask } from '../../src/primitives/task-queue.ts'

/** Atomic USDC as `1,250.50`. */
export const usdc = (atomic: bigint): string => formatDecimal(formatAmount(atomic, USDC_DECIMALS))

/** Atomic AIC as `1,250.5`, rounded down. */
export const aic = (atomic: bigint): string => formatAic(formatAmount(atomic, AIC_DECIMALS))

/** `Nov 27, 2026, 4:05 PM` of Unix seconds. */
export const moment = (seconds: number): string => formats().moment.format(seconds * 1_000)

const ALL_BPS = 10_000
/** `12.5%` of basis points. */
export const percent = (bps: number): string => formats().percent.format(bps / ALL_BPS)

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
    return [formats().count(unit).format(count).replace(' ', '\u00a0')]
  })
  return formats().list.format(parts)
}

type Formats = ReturnType<typeof makeFormats>
let made: Formats | undefined
/** Making a format takes milliseconds, so each is made once. */
const formats = (): Formats => {
  const { locale } = shared.format
  if (made?.locale !== locale) made = makeFormats(locale)
  return made
}

function makeFormats(locale: string) {
  const counts = new Map<string, Intl.NumberFormat>()
  return {
    locale,
    moment: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
    percent: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }),
    list: new Intl.ListFormat(locale, { type: 'unit' }),
    count(unit: string): Intl.NumberFormat {
      const count = counts.get(unit) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
      counts.set(unit, count)
      return count
    },
  }
}

/** Makes the formats in short tasks, while the first answers of the node are awaited. */
export async function prepareFormats(): Promise<void> {
  for (const [unit] of UNITS) {
    await nextTask()
    formats().count(unit)
  }
}
