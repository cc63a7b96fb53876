import type { Account, Hex } from '../account.ts'
import { toHeader } from '../encoding.ts'
import { isFields } from '../json-fields.ts'
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
      extensions: withIdentifier(quote.extensions, id),
    }),
    network: offer.network,
    asset,
    amount: offer.amount.toString(),
    validBefore,
    inferenceId: undefined,
  }
}

const PAYMENT_IDENTIFIER = 'payment-identifier'

/** The extensions to echo. Where the service offers x402's payment-identifier, the payment is sent under its `id`. */
function withIdentifier(extensions: unknown, id: string): unknown {
  const offered = isFields(extensions) ? extensions[PAYMENT_IDENTIFIER] : undefined
  if (!isFields(extensions) || !isFields(offered) || !isFields(offered['info'])) return extensions
  return { ...extensions, [PAYMENT_IDENTIFIER]: { ...offered, info: { ...offered['info'], id } } }
}
