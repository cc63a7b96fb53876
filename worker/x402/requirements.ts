import { type Address, getAddress } from 'viem'
import type { PaymentRequirements } from './schemas.ts'

/** Seconds a client is asked to make its authorization valid for. */
const MAX_TIMEOUT_SECONDS = 60

/**
 * One entry of `accepts`. `amount` is an integer string in atomic units; `domain` is the EIP-712 domain of the asset on that
 * network. Addresses go out in EIP-55 form. "upfront" says that settlement comes before the run.
 */
export const makeRequirements = (
  network: PaymentRequirements['network'],
  asset: Address,
  amount: string,
  payTo: Address,
  domain: { name: string; version: string },
): PaymentRequirements => ({
  scheme: 'exact',
  network,
  asset: getAddress(asset),
  amount,
  payTo: getAddress(payTo),
  maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  extra: { name: domain.name, version: domain.version, paymentFlow: 'upfront' },
})
