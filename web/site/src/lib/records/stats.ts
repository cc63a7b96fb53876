import { type Fields, fields, list, maybeFields, maybeNum, maybeStr, num, str } from '../../../../shared/shape.ts'

export interface Stats {
  total: number
  succeeded: number
  failed: number
  usdcSettled: string
  aicSettled: string
  aicBurnedAmount: string
  models: {
    id: string
    runs: number
    successRate: number | null
    p50Seconds: number | null
    p95Seconds: number | null
  }[]
  days: { date: string; runs: number }[]
  asOf: string | null
}

export function readStats(body: unknown): Stats {
  const from = fields(body)
  const counts = maybeFields(from, 'inferences') ?? {}
  return {
    total: maybeNum(counts, 'total') ?? 0,
    succeeded: maybeNum(counts, 'succeeded') ?? 0,
    failed: maybeNum(counts, 'failed') ?? 0,
    usdcSettled: maybeStr(from, 'usdcSettled') ?? '0',
    aicSettled: maybeStr(from, 'aicSettled') ?? '0',
    aicBurnedAmount: maybeStr(from, 'aicBurnedAmount') ?? '0',
    models: list(from, 'models', (value) => {
      const model = fields(value)
      return {
        id: str(model, 'id'),
        runs: num(model, 'runs'),
        successRate: readRate(model),
        p50Seconds: maybeNum(model, 'p50Seconds'),
        p95Seconds: maybeNum(model, 'p95Seconds'),
      }
    }),
    days: list(from, 'days', (value) => {
      const day = fields(value)
      return { date: str(day, 'date'), runs: num(day, 'runs') }
    }),
    asOf: maybeStr(from, 'asOf'),
  }
}

/** A share from 0 to 1; taken as a number or as a decimal string. */
function readRate(from: Fields): number | null {
  const rate = maybeNum(from, 'successRate') ?? Number(maybeStr(from, 'successRate') ?? Number.NaN)
  return Number.isFinite(rate) ? rate : null
}
