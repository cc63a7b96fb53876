import { type Address, isAddress, maxUint256, parseErc6492Signature } from 'viem'
import * as z from 'zod'

/** Lower case or EIP-55: viem encodes no other, and one call that it cannot encode would fail all payments beside it. */
const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value))
const network = z.templateLiteral(['eip155:', z.string().regex(/^[1-9][0-9]{0,15}$/)])
const uint = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, { abort: true })
  .refine((text) => BigInt(text) <= maxUint256)

/** Where a signature ends as ERC-6492 says and cannot be decoded, the library throws. */
function isReadable(signature: string): boolean {
  try {
    return parseErc6492Signature(`0x${signature.slice(2)}`).signature !== undefined
  } catch {
    return false
  }
}

const requirementsSchema = z.looseObject({
  scheme: z.string(),
  network,
  asset: address,
  amount: uint,
  payTo: address,
  maxTimeoutSeconds: z.number(),
  extra: z.record(z.string(), z.unknown()),
})

/** Strict: the library settles whatever has `permit2Authorization` through Permit2, past this facilitator's checks. */
const exactPayloadSchema = z.strictObject({
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})*$/)
    .max(2 + 2 * 8_192)
    .refine(isReadable),
  authorization: z.looseObject({
    from: address,
    to: address,
    value: uint,
    validAfter: uint,
    validBefore: uint,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
})

const payloadSchema = z.object({
  x402Version: z.literal(2),
  accepted: z.looseObject({ ...requirementsSchema.shape, extra: z.record(z.string(), z.unknown()).default({}) }),
  payload: exactPayloadSchema,
})

/** Body of `/verify` and `/settle`. The library would throw on a body that does not fit. */
export const requestSchema = z.object({ paymentPayload: payloadSchema, paymentRequirements: requirementsSchema })

export type PaymentPayload = z.infer<typeof payloadSchema>
export type PaymentRequirements = z.infer<typeof requirementsSchema>
