import {
  AIC_DECIMALS,
  divide,
  formatAmount,
  multiplyDivide,
  parseAmount,
  RATE_DECIMALS,
  USDC_DECIMALS,
} from '../../../protocol/money.ts'
import type { Task } from '../models/model.ts'

/** Seconds a task is taken to last while its model has no history. */
export const DEFAULT_SECONDS: Record<Task, string> = {
  'text-to-image': '10',
  'text-to-text': '3',
  'text-to-sound': '15',
}

/** Finer than anything we show, so that a caller's seconds are never rounded before the one rounding of the price. */
const SECONDS_DECIMALS = 18
const ESTIMATE_SCALE = 10n ** BigInt(RATE_DECIMALS + SECONDS_DECIMALS - USDC_DECIMALS)
/** Rate (10^-9) times milliseconds (10^-3), in units of 10^-6. */
const ACTUAL_SCALE = 10n ** BigInt(RATE_DECIMALS + 3 - USDC_DECIMALS)

/**
 * The price of a call before it runs, which is charged: rate × seconds, rounded up to the next atomic unit, at least one.
 * Rate and seconds are decimal strings; the answer is USDC with 6 decimals. Throws a RangeError on anything else.
 *
 * `estimateCostUsdc('text-to-image', '0.001')` is `'0.010000'`.
 */
export function estimateCostUsdc(task: Task, ratePerSec: string, overrideSeconds?: string): string {
  const rate = parseAmount(ratePerSec, RATE_DECIMALS)
  const seconds = parseAmount(overrideSeconds ?? DEFAULT_SECONDS[task], SECONDS_DECIMALS)
  const units = multiplyDivide(rate, seconds, ESTIMATE_SCALE, 'up')
  return formatAmount(units > 0n ? units : 1n, USDC_DECIMALS)
}

/**
 * The cost of a finished run, reported and never charged: rate × milliseconds, rounded half-up; USDC with 6 decimals.
 * Throws a RangeError unless `predictTimeMs` is a non-negative integer.
 *
 * `actualCostUsdc(1234, '0.001')` is `'0.001234'`.
 */
export function actualCostUsdc(predictTimeMs: number, ratePerSec: string): string {
  if (!Number.isSafeInteger(predictTimeMs) || predictTimeMs < 0) throw new RangeError('not a number of milliseconds')
  const rate = parseAmount(ratePerSec, RATE_DECIMALS)
  return formatAmount(multiplyDivide(rate, BigInt(predictTimeMs), ACTUAL_SCALE, 'half-up'), USDC_DECIMALS)
}

/** Mean duration of a model's runs, rounded up to a whole millisecond; null without a run. */
export const meanMs = (sumMs: bigint, count: bigint): bigint | null => (count > 0n ? divide(sumMs, count, 'up') : null)

/** Seconds as people and JSON show them, without idle zeros: `secondsOf(1234n)` is `'1.234'`, `secondsOf(10000n)` is `'10'`. */
export const secondsOf = (ms: bigint): string => formatAmount(ms, 3).replace(/\.000$|0{1,2}$/, '')

/** The seconds an estimate is made of: the model's mean where it has history, else the task's default. */
export function estimatedSeconds(task: Task, history: { sumMs: bigint; count: bigint } | null): string {
  const mean = history === null ? null : meanMs(history.sumMs, history.count)
  return mean === null ? DEFAULT_SECONDS[task] : secondsOf(mean)
}

const ONE_USDC = 10n ** BigInt(USDC_DECIMALS)

/**
 * The AIC that pays a USDC cost, in atomic units (10^-18), rounded up. `aicPerUsdc` has at most 18 decimals.
 * `aicAmount('0.010000', '50')` is `500000000000000000n`, half an AIC.
 */
export const aicAmount = (usdcCost: string, aicPerUsdc: string): bigint =>
  multiplyDivide(parseAmount(usdcCost, USDC_DECIMALS), parseAmount(aicPerUsdc, AIC_DECIMALS), ONE_USDC, 'up')
