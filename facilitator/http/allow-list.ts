import type { Address } from 'viem'
import { isAddressEqual } from 'viem/utils'
import type { PaymentPayload, PaymentRequirements } from '../request.ts'

/** The assets and payee that this deployment settles on one network. Everything else is refused before any gas is spent. */
export interface AllowedNetwork {
  /** CAIP-2, e.g. `eip155:31337`. */
  network: `eip155:${string}`
  rpcUrl: string
  assets: readonly Address[]
  payTo: Address
  /** Our batch contract for this payee and these tokens. Without it each payment has its own transaction. */
  batch?: Address | undefined
}

/** The x402 reason for which the allow-list refuses a payment; null when it allows it. */
export function refusalOf(
  allowed: readonly AllowedNetwork[],
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): string | null {
  if (requirements.scheme !== 'exact') return 'unsupported_scheme'
  const entry = allowed.find(({ network }) => network === requirements.network)
  if (!entry || payload.accepted.network !== requirements.network) return 'invalid_network'
  const { asset, payTo } = requirements
  if (!entry.assets.some((address) => isAddressEqual(address, asset))) return 'invalid_payment_requirements'
  if (!isAddressEqual(entry.payTo, payTo)) return 'invalid_payment_requirements'
  return null
}
