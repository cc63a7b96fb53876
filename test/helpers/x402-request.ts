import { type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { RunningChain } from '../../dev/anvil/chain.ts'
import { signTransfer } from './sign-payment.ts'

const CHAIN_ID = 31337
const TOKEN = { name: 'USD Coin', version: '2' }

interface Payer {
  /** A contract wallet that pays in place of the buyer. It does not sign: 65 bytes are sent. */
  wallet?: Hex
  /** Sent in place of the signature. */
  signature?: Hex
  validAfter?: string
}

/** Makes bodies of `/verify` and `/settle`: each a payment of 0.01 USDC, by the chain's first buyer by default, with the next nonce. */
export function makeX402Requests(chain: Pick<RunningChain, 'usdc' | 'payTo' | 'buyers'>, token = TOKEN) {
  let lastNonce = 0n
  return async (
    change: { payTo?: Hex; asset?: Hex; network?: string } = {},
    { wallet, signature: given, validAfter = '0' }: Payer = {},
  ) => {
    const requirements = {
      scheme: 'exact',
      network: `eip155:${CHAIN_ID}`,
      asset: chain.usdc,
      amount: '10000',
      payTo: chain.payTo,
      maxTimeoutSeconds: 60,
      extra: { ...token, paymentFlow: 'upfront' },
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
    const domain = { ...token, chainId: CHAIN_ID, verifyingContract: requirements.asset }
    const sign = () => signTransfer(account, domain, authorization)
    const signature: Hex = given ?? (wallet === undefined ? await sign() : `0x${'11'.repeat(64)}1b`)
    const paymentPayload = { x402Version: 2, accepted: requirements, payload: { signature, authorization } }
    return { x402Version: 2, paymentPayload, paymentRequirements: requirements }
  }
}
