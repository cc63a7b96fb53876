import type { Account, Hex } from '../account.ts'
import { toHeader } from '../shape.ts'
import type { PendingPayment } from '../store.ts'
import type { Challenge, Entry } from './challenge.ts'

/** Seconds that a signature is good for: long enough to send it again after an outage, short of the service's 900. */
const VALID_SECONDS = 600

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

/** Signs one entry (EIP-3009) and returns the payment, ready to be kept and sent. `now` in milliseconds. */
export async function signPayment(
  account: Account,
  challenge: Challenge,
  entry: Entry,
  request: { origin: string; body: string; now: number },
): Promise<PendingPayment> {
  const latest = Math.floor(request.now / 1_000) + VALID_SECONDS
  const validBefore = Math.min(latest, challenge.expiresAt ?? latest)
  const message = {
    from: account.address,
    to: entry.payTo,
    value: entry.amount,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce: randomNonce(),
  }
  const { name, version, chainId, asset } = entry
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
    id: crypto.randomUUID(),
    origin: request.origin,
    payer: account.address.toLowerCase(),
    body: request.body,
    header: toHeader({
      x402Version: 2,
      resource: challenge.resource,
      accepted: entry.raw,
      payload: { authorization, signature },
      extensions: challenge.extensions,
    }),
    network: entry.network,
    asset,
    amount: entry.amount.toString(),
    validBefore,
    inferenceId: undefined,
  }
}
