import type { Account, Hex } from '../account.ts'
import { toHeader } from '../encoding.ts'
import type { PendingPayment } from '../store.ts'
import type { Offer } from './challenge.ts'
import type { Quote } from './quote.ts'

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

function randomNonce(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Signs one offer of a quote (EIP-3009). Returns the payment, to be stored under `id` and sent to `origin`. */
export async function signPayment(
  account: Account,
  quote: Quote,
  offer: Offer,
  { id, origin }: { id: string; origin: string },
): Promise<PendingPayment> {
  const { validBefore } = quote
  const message = {
    from: account.address,
    to: offer.payTo,
    value: offer.amount,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce: randomNonce(),
  }
  const { name, version, chainId, asset } = offer
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: asset },
    types: { TransferWithAuthorization: AUTHORIZATION },
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const authorization = {
    ...message,
    value: message.value.toString(),
    validAfter: '0',
    validBefore: String(validBefore),
  }
  return {
    id,
    origin,
    payer: account.address.toLowerCase(),
    body: quote.body,
    header: toHeader({
      x402Version: 2,
      resource: quote.resource,
      accepted: offer.raw,
      payload: { authorization, signature },
      extensions: quote.extensions,
    }),
    network: offer.network,
    asset,
    amount: offer.amount.toString(),
    validBefore,
    inferenceId: undefined,
  }
}
