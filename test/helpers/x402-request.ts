import { type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { RunningChain } from '../../dev/anvil/chain.ts'

const field = (name: string, type: string) => ({ name, type })
const TransferWithAuthorization = [
  field('from', 'address'),
  field('to', 'address'),
  field('value', 'uint256'),
  field('validAfter', 'uint256'),
  field('validBefore', 'uint256'),
  field('nonce', 'bytes32'),
]

interface Payer {
  /** A contract wallet that pays in place of the buyer. It does not sign: 65 bytes are sent. */
  wallet?: Hex
  /** Sent in place of the signature. */
  signature?: Hex
  validAfter?: string
}

/** Makes bodies of `/verify` and `/settle`: each a payment of 0.01 USDC, by the chain's first buyer by default, with the next nonce. */
export function makeX402Requests(chain: Pick<RunningChain, 'usdc' | 'payTo' | 'buyers'>) {
  let lastNonce = 0n
  return async (
    change: { payTo?: Hex; asset?: Hex; network?: string } = {},
    { wallet, signature: given, validAfter = '0' }: Payer = {},
  ) => {
    const requirements = {
      scheme: 'exact',
      network: 'eip155:31337',
      asset: chain.usdc,
      amount: '10000',
      payTo: chain.payTo,
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' },
      ...change,
    }
    const account = privateKeyToAccount(chain.buyers[0]?.privateKey ?? '0x')
    lastNonce += 1n
    const authorization = {
      from: wallet ?? account.address,
      to: requirements.payTo,
      value: '10000',
      validAfter,
      validBefore: `${Math.floor(Date.now() / 1000) + 300}`,
      nonce: toHex(lastNonce, { size: 32 }),
    }
    const sign = () =>
      account.signTypedData({
        domain: { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: requirements.asset },
        types: { TransferWithAuthorization },
        primaryType: 'TransferWithAuthorization',
        message: { ...authorization },
      })
    const signature: Hex = given ?? (wallet === undefined ? await sign() : `0x${'11'.repeat(64)}1b`)
    const paymentPayload = { x402Version: 2, accepted: requirements, payload: { signature, authorization } }
    return { x402Version: 2, paymentPayload, paymentRequirements: requirements }
  }
}
