import { concat, type Hex, pad, toHex } from 'viem'
import type { PaymentPayload } from '../../../facilitator/request.ts'
import { TOKEN } from './token-chain.ts'

export const NETWORK = 'eip155:31337'
export const VALUE = 1_000n
const PAYERS = 3
export const PAY_TO: Hex = pad('0x99', { size: 20 })

export interface Payment {
  payer: Hex
  nonce: Hex
  value: bigint
  payload: PaymentPayload & { accepted: { amount: string; payTo: Hex } }
}

/** The payment with this number. Three payers share all of them. */
export function paymentOf(number: number): Payment {
  const payer = pad(toHex(0xa0 + (number % PAYERS)), { size: 20 })
  const nonce = pad(toHex(number + 1), { size: 32 })
  const requirements = {
    scheme: 'exact',
    network: NETWORK,
    asset: TOKEN,
    amount: `${VALUE}`,
    payTo: PAY_TO,
    maxTimeoutSeconds: 60,
    extra: {},
  } as const
  const terms = { from: payer, to: PAY_TO, value: `${VALUE}`, validAfter: '0', validBefore: '99999999999', nonce }
  const signature = concat([pad('0x11', { size: 32 }), pad('0x12', { size: 32 }), '0x1b'])
  const payload = { x402Version: 2 as const, accepted: requirements, payload: { signature, authorization: terms } }
  return { payer, nonce, value: VALUE, payload }
}
