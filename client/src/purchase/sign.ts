import { toHeader } from '../../../protocol/base64.ts'
import { authorizationOf, TRANSFER_TYPES } from '../../../protocol/eip3009.ts'
import type { Account, Hex } from '../account.ts'
import { isFields } from '../json-fields.ts'
import type { PendingPayment } from '../store.ts'
import type { Offer } from './challenge.ts'
import type { Quote } from './quote.ts'

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
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  return {
    id,
    origin,
    payer: account.address.toLowerCase(),
    body: quote.body,
    header: toHeader({
      x402Version: 2,
      resource: quote.resource,
      accepted: offer.raw,
      payload: { authorization: authorizationOf(message), signature },
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
