import { type Address, isAddress } from 'viem'
import * as z from 'zod'
import { once } from '../../db/once.ts'

/** One entry of `accepts`: what the buyer may pay with. `amount` is an integer string in the asset's atomic units. */
export interface PaymentRequirements {
  scheme: 'exact'
  network: `eip155:${number}`
  asset: Address
  amount: string
  payTo: Address
  maxTimeoutSeconds: number
  extra: { name: string; version: string; paymentFlow: 'upfront' }
}

/** EIP-3009 `TransferWithAuthorization`, integers as decimal strings (seconds, atomic units). */
export const authorizationSchema = once(() => {
  /** Lower case or EIP-55. All upper case or a wrong checksum is a typing error, and libraries below throw on it. */
  const checksummed = z
    .templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])
    .refine((text) => isAddress(text), 'not an address in lower case or with a right checksum')
  const uint = z
    .string()
    .regex(/^(0|[1-9][0-9]{0,77})$/, { abort: true, error: 'not an unsigned integer' })
    .refine((text) => BigInt(text) < 2n ** 256n, 'does not fit 256 bits')
  return z.object({
    from: checksummed,
    to: checksummed,
    value: uint,
    validAfter: uint,
    validBefore: uint,
    nonce: z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)]),
  })
})
export type Authorization = z.infer<ReturnType<typeof authorizationSchema>>

/** 65 bytes for plain accounts; up to 4 KiB for contract wallets. */
const signatureSchema = () =>
  z
    .templateLiteral(['0x', z.string().regex(/^([0-9a-fA-F]{2})*$/)])
    .refine((text) => text.length <= 2 + 2 * 4096, 'longer than 4 KiB')

/**
 * The decoded `Payment-Signature` header (x402 version 2, scheme `exact` on EVM). Unknown keys are dropped.
 * `accepted` is the client's claim of which entry it pays; only our own copy ever goes to the facilitator.
 */
export const paymentPayloadSchema = once(() => {
  const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
  return z.object({
    x402Version: z.literal(2),
    payload: z.object({ authorization: authorizationSchema(), signature: signatureSchema() }),
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
})
export type PaymentPayload = z.infer<ReturnType<typeof paymentPayloadSchema>>

/** The content of the `Payment-Required` header of a 402. */
export interface PaymentRequired {
  x402Version: 2
  /** Why it was refused, in words or as the facilitator's reason. */
  error: string
  resource: {
    url: string
    description: string
    mimeType: 'application/json'
    serviceName?: string
    tags?: string[]
  }
  accepts: PaymentRequirements[]
  /** `quote` where something is sold; `sign-in-with-x`, `auth-hints` and `bazaar` for a caller that is not signed in. */
  extensions: {
    quote?: { info: { token: string; expiresAt: string }; schema: Record<string, never> }
    [name: string]: unknown
  }
}

/** The content of the `Payment-Response` header. `transaction` is empty when nothing was broadcast. */
export interface SettlementResponse {
  success: boolean
  errorReason?: string
  payer: Address
  transaction: string
  network: string
  extensions?: Record<string, unknown>
}
