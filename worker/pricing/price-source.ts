/** Where the price of AIC comes from. Today a configured rate; an on-chain average or a price API would be another maker. */
export interface PriceSource {
  /** AIC per 1 USDC, a decimal string with at most 18 decimals, above zero. */
  aicPerUsdc(): Promise<string>
}

/** A price that an operator has set. */
export const makeFixedPrice = (aicPerUsdc: string): PriceSource => ({ aicPerUsdc: async () => aicPerUsdc })
