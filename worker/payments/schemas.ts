import * as z from 'zod'

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const bytes32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const uint = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)

/** One entry of `accepts`: what the buyer may pay with. `amount` is an integer string in the asset's atomic units. */
export interface PaymentRequirements {
  scheme: 'exact'
  network: `eip155:${number}`
  asset: `0x${string}`
  amount: string
  payTo: `0x${string}`
  maxTimeoutSeconds: number
  extra: { name: string; version: string; paymentFlow: 'upfront' }
}

/** EIP-3009 `TransferWithAuthorization`, integers as decimal strings (seconds, atomic units). */
export const authorizationSchema = z.object({
  from: address,
  to: address,
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: bytes32,
})
export type Authorization = z.infer<typeof authorizationSchema>

/**
 * The decoded `Payment-Signature` header (x402 version 2, scheme `exact` on EVM). Unknown keys are dropped.
 * `accepted` is the client's claim of which entry it pays; only our own copy ever goes to the facilitator.
 */
export const paymentPayloadSchema = z.object({
  x402Version: z.literal(2),
  payload: z.object({
    authorization: authorizationSchema,
    /** 65 bytes for plain accounts; up to 4 KiB for contract wallets. */
    signature: z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})*$/)
      .max(2 + 2 * 4096),
  }),
  accepted: z.object({
    scheme: z.string(),
    network: z.string(),
    amount: z.string(),
    asset: address,
    payTo: address,
  }),
  resource: z.unknown().optional(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
})
export type PaymentPayload = z.infer<typeof paymentPayloadSchema>
