import { recoverTypedDataAddress } from 'viem/utils'
import type { RecoverSigner } from '../src/index.ts'

/** Source: x402 specification, extension offer-receipt, in its EIP-712 form. The chain id is always 1. */
const DOMAIN = { name: 'x402 offer', version: '1', chainId: 1 } as const
const TYPES = {
  Offer: [
    { name: 'version', type: 'uint256' },
    { name: 'resourceUrl', type: 'string' },
    { name: 'scheme', type: 'string' },
    { name: 'network', type: 'string' },
    { name: 'asset', type: 'string' },
    { name: 'payTo', type: 'string' },
    { name: 'amount', type: 'string' },
    { name: 'validUntil', type: 'uint256' },
  ],
} as const

/** Returns who signed an offer of x402's extension offer-receipt, for `createCoinslot`. Rejects where no one can have. */
export const recoverOfferSigner: RecoverSigner = ({ payload, signature }) =>
  recoverTypedDataAddress({
    domain: DOMAIN,
    types: TYPES,
    primaryType: 'Offer',
    message: { ...payload, version: BigInt(payload.version), validUntil: BigInt(payload.validUntil) },
    signature,
  })
