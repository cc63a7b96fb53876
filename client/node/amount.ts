import { formatAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import { usdcOf } from '../../protocol/networks.ts'
import type { LocalStack } from './local-stack.ts'

/** An amount of a token. */
export interface Paid {
  /** CAIP-2. */
  network: string
  asset: string
  /** Atomic units. */
  amount: string
}

/** For display, e.g. `0.010000 USDC`. Amounts of unknown tokens stay in atomic units. */
export function amountText(
  { network, asset, amount }: Paid,
  local: Pick<LocalStack, 'chainId' | 'usdc'> | null,
): string {
  const isLocal = local !== null && network === `eip155:${local.chainId}`
  const usdc = usdcOf(network)?.address ?? (isLocal ? local.usdc : undefined)
  const isUsdc = usdc?.toLowerCase() === asset.toLowerCase()
  return isUsdc ? usdcText(amount) : `${amount} atomic units of ${asset}`
}

/** Atomic units of USDC for display. */
export const usdcText = (amount: string): string => `${formatAmount(BigInt(amount), USDC_DECIMALS)} USDC`
