import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import known from '../launch/known.json' with { type: 'json' }

/** The least times (seconds), soft cap (basis points of the hard cap) and signatures. The launch script reads the same file. */
export const LEAST = known.least

/** Circle's USDC by chain id. */
const USDC: Readonly<Record<string, string>> = known.usdc

const LOCAL_CHAIN = 31_337
const USDC_DECIMALS = 6

export interface DollarFacts {
  chainId: number
  address: Address
  /** Null where the contract does not say. */
  decimals: number | null
}

/** What is wrong with the token that the sale is paid in; null when it is Circle's USDC of the chain. A local chain takes any. */
export function dollarFault({ chainId, address, decimals }: DollarFacts): string | null {
  const usdc = USDC[String(chainId)]
  if (usdc === undefined && chainId !== LOCAL_CHAIN) return `the USDC of chain ${chainId} is not known`
  if (usdc !== undefined && !isAddressEqual(getAddress(usdc), address))
    return `${address} is not USDC, which is ${usdc}`
  return decimals === USDC_DECIMALS ? null : `${address} has ${decimals ?? 'no'} decimals, not ${USDC_DECIMALS}`
}

export interface SafeFacts {
  /** Hash of the account's own code, and of the code that its first slot names. */
  proxy: Hex
  singleton: Hex
  threshold: bigint
  owners: number
  modules: number
}

const isSafeProxy = (code: Hex): boolean => Object.values<string>(known.safeProxies).includes(code)
const isSafeCode = (code: Hex): boolean => Object.values<string>(known.safes).includes(code)

/** Why an account is not a Safe of two signatures or more; null when it is one. By its code: any contract can answer like a Safe. */
export function safeFault({ proxy, singleton, threshold, owners, modules }: SafeFacts): string | null {
  if (!isSafeProxy(proxy) || !isSafeCode(singleton)) return 'has not the code of a Safe'
  if (threshold < LEAST.signatures) return `needs ${threshold} signature only`
  if (owners < threshold) return `has ${owners} owners for ${threshold} signatures`
  return modules === 0 ? null : 'has a module, which acts without signatures'
}
