import { formatAmount, parseAmount, USDC_DECIMALS } from '../../../../protocol/money.ts'
import { AIC_DECIMALS } from '../../../shared/money.ts'

/** The sums paid in a month or for a model. */
export interface Spent {
  /** `2026-11`, or a model's id. */
  key: string
  runs: number
  /** Decimal strings. */
  usdc: string
  aic: string
}

/** Sums the settled payments of the CSV of `GET /api/inferences`, by month and by model, each in the order of the file. */
export function spendingOf(csv: string): { months: Spent[]; models: Spent[] } {
  const [head = [], ...rows] = parseCsv(csv)
  const at = (row: string[], name: string): string => row[head.indexOf(name)] ?? ''
  const paid = rows
    .filter((row) => at(row, 'payment_tx_hash') !== '' && /^\d+$/.test(at(row, 'payment_amount')))
    .map((row) => {
      const atomic = BigInt(at(row, 'payment_amount'))
      // If the amount is not the USDC price, it is AIC.
      const isUsdc = formatAmount(atomic, USDC_DECIMALS) === at(row, 'estimated_cost_usdc')
      return { month: at(row, 'created_at').slice(0, 7), model: at(row, 'model'), atomic, isUsdc }
    })
  return {
    months: sums(paid.map((one) => ({ ...one, key: one.month }))),
    models: sums(paid.map((one) => ({ ...one, key: one.model }))),
  }
}

function sums(paid: { key: string; atomic: bigint; isUsdc: boolean }[]): Spent[] {
  const byKey = new Map<string, { runs: number; usdc: bigint; aic: bigint }>()
  for (const { key, atomic, isUsdc } of paid) {
    const sum = byKey.get(key) ?? { runs: 0, usdc: 0n, aic: 0n }
    byKey.set(key, {
      runs: sum.runs + 1,
      usdc: sum.usdc + (isUsdc ? atomic : 0n),
      aic: sum.aic + (isUsdc ? 0n : atomic),
    })
  }
  return [...byKey].map(([key, { runs, usdc, aic }]) => ({
    key,
    runs,
    usdc: formatAmount(usdc, USDC_DECIMALS),
    aic: formatAmount(aic, AIC_DECIMALS),
  }))
}

/** Rows of fields (RFC 4180): a quoted field may contain commas, line breaks and doubled quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, field = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    if (end === ',') continue
    if (row.length > 1) rows.push(row)
    row = []
  }
  return rows
}

/** True if any of it was paid in AIC. */
export const hasAic = (spent: Spent[]): boolean => spent.some(({ aic }) => parseAmount(aic, AIC_DECIMALS) > 0n)
