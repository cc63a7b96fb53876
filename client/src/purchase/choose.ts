import { formatAmount, parseAmount, USDC_DECIMALS } from '../../../protocol/money.ts'
import { DEV_NETWORK, networkName, usdcOf } from '../../../protocol/networks.ts'
import { SpendCapError } from '../errors.ts'
import type { Challenge, Offer } from './challenge.ts'

/** A token other than USDC to pay in. `max` is the limit of one payment, a decimal string. */
export interface OtherToken {
  asset: string
  decimals: number
  max: string
}

/** The limit on what may be signed: USDC up to `maxUsdc` (a decimal string), or another token up to its `max`. */
export interface Terms {
  maxUsdc: string
  payIn?: OtherToken
}

/** The offer that will be signed. */
export interface Choice {
  offer: Offer
  /** For display, e.g. `0.010000 USDC`. */
  price: string
}

/** True if two addresses are the same one, in whatever letter case. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** True if an offer is in USDC by the table of networks. The dev chain has no fixed address, and worthless money. */
export function isUsdc({ network, asset, version }: { network: string; asset: string; version: string }): boolean {
  const known = usdcOf(network)
  if (known !== undefined) return isSame(known.address, asset)
  return network === DEV_NETWORK && version === '2'
}

/**
 * The first offer in the wanted token on `network` (CAIP-2), checked against the limit. This very offer is signed. What else the
 * service says about the price plays no part. Throws `SpendCapError`.
 */
export function chooseOffer({ offers }: Pick<Challenge, 'offers'>, { maxUsdc, payIn }: Terms, network: string): Choice {
  const name = payIn === undefined ? 'USDC' : payIn.asset
  const decimals = payIn?.decimals ?? USDC_DECIMALS
  const limit = parseAmount(payIn?.max ?? maxUsdc, decimals)
  const isWanted = (one: Offer): boolean => (payIn === undefined ? isUsdc(one) : isSame(one.asset, payIn.asset))
  const offer = offers.find((one) => one.network === network && isWanted(one))
  if (offer === undefined) {
    const offered = offers.map((one) => `${one.asset} on ${networkName(one.network)}`).join(', ') || 'nothing'
    throw new SpendCapError(
      `The service takes no ${name} on ${networkName(network)} that this client may sign. Nothing was signed. ` +
        `It offers ${offered}.${offers.some(isWanted) ? ' Choose the network with `chainId` (--chain-id).' : ''}`,
    )
  }
  const price = `${formatAmount(offer.amount, decimals)} ${payIn === undefined ? 'USDC' : offer.name}`
  if (offer.amount > limit) {
    throw new SpendCapError(
      `The price is ${price}, more than the limit of ${formatAmount(limit, decimals)}. Nothing was signed.`,
    )
  }
  return { offer, price }
}
