import type { Coinslot } from '../src/coinslot.ts'

export interface McpOptions {
  coinslot: Coinslot
  /** The most that any call may cost, a decimal string of USDC. */
  maxUsdc: string
}
