import { formatAmount, USDC_DECIMALS } from '../src/money.ts'
import { USDC } from '../src/networks.ts'
import type { LocalStack } from './local-stack.ts'

/** What was paid, in which token. */
export interface Paid {
  /** CAIP-2. */
  network: string
  asset: string
  /** Atomic units. */
  amount: string
}

/** As people read it: `0.010000 USDC`. The units of a token that we do not know stay atomic. */
export function amountText(
  { network, asset, amount }: Paid,
  local: Pick<LocalStack, 'chainId' | 'usdc'> | null,
): string {
  const isLocal = local !== null && network === `eip155:${local.chainId}`
  const usdc = USDC[network] ?? (isLocal ? local.usdc : undefined)
  const isUsdc = usdc?.toLowerCase() === asset.toLowerCase()
  return isUsdc ? `${formatAmount(BigInt(amount), USDC_DECIMALS)} USDC` : `${amount} atomic units of ${asset}`
}
