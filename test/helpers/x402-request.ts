import { type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { RunningChain } from '../../dev/anvil/chain.ts'
import { signTransfer } from './sign-payment.ts'

const CHAIN_ID = 31337
const TOKEN = { name: 'USD Coin', version: '2' }

/** Makes bodies of `/verify` and `/settle`: each a payment of 0.01 USDC by the chain's first buyer, with the next nonce. */
export function makeX402Requests(chain: Pick<RunningChain, 'usdc' | 'payTo' | 'buyers'>) {
  let lastNonce = 0n
  return async (change: { payTo?: Hex; asset?: Hex; network?: string } = {}) => {
    const requirements = {
      scheme: 'exact',
      network: `eip155:${CHAIN_ID}`,
      asset: chain.usdc,
      amount: '10000',
      payTo: chain.payTo,
      maxTimeoutSeconds: 60,
      extra: { ...TOKEN, paymentFlow: 'upfront' },
      ...change,
    }
    const account = privateKeyToAccount(chain.buyers[0]?.privateKey ?? '0x')
    lastNonce += 1n
    const authorization = {
      from: account.address,
      to: requirements.payTo,
      value: '10000',
      validAfter: '0',
      validBefore: `${Math.floor(Date.now() / 1000) + 300}`,
      nonce: toHex(lastNonce, { size: 32 }),
    }
    const domain = { ...TOKEN, chainId: CHAIN_ID, verifyingContract: requirements.asset }
    const signature = await signTransfer(account, domain, authorization)
    const paymentPayload = { x402Version: 2, accepted: requirements, payload: { signature, authorization } }
    return { x402Version: 2, paymentPayload, paymentRequirements: requirements }
  }
}
