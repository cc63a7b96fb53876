import { AIC_DECIMALS, multiplyDivide, parseDecimal, USDC_DECIMALS } from './money.ts'

const ONE_USDC = 10n ** BigInt(USDC_DECIMALS)

/**
 * The AIC that pays a USDC cost, in atomic units (10^-18), rounded up. `aicPerUsdc` has at most 18 decimals.
 * `aicAmount('0.010000', '50')` is `500000000000000000n`, half an AIC.
 */
export const aicAmount = (usdcCost: string, aicPerUsdc: string): bigint =>
  multiplyDivide(parseDecimal(usdcCost, USDC_DECIMALS), parseDecimal(aicPerUsdc, AIC_DECIMALS), ONE_USDC, 'up')
