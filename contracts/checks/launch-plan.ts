import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod'

/** An address with a checksum. */
export const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), 'is not an address')
  .transform((text): Address => getAddress(text))
const amount = z.string().regex(/^\d+$/).transform(BigInt)
const seconds = z.int().nonnegative()
const bps = z.int().min(0).max(10_000)
const perVault = <Value extends z.ZodType>(value: Value) =>
  z.object({ liquidity: value, dev: value, team: value, marketing: value })

const scheduleSchema = z.object({ name: z.string(), amount, tgeBps: bps, cliff: seconds, duration: seconds })

/** A file `contracts/launch/<network>.json`: everything that a launch decides. Amounts are atomic units as decimal strings. */
export const launchPlanSchema = z.object({
  admin: address,
  /** Seconds that a transfer of the admin role takes at least. */
  adminDelay: seconds,
  /** Seconds after the end of the sale in which it cannot be final, and every buyer can leave. */
  coolingOff: seconds,
  /** Seconds until a new payee, a new operator or an earlier TGE counts. */
  notice: seconds,
  usdc: address,
  operators: perVault(address),
  phases: z
    .array(z.object({ start: seconds, end: seconds, price: amount, cap: amount, walletCap: amount }))
    .min(1)
    .max(8),
  softCap: amount,
  minPurchase: amount,
  /** Shares of the raised USDC, basis points. */
  routes: perVault(bps),
  claims: z.object({ amount, tgeBps: bps, cliff: seconds, duration: seconds }),
  schedules: perVault(z.array(scheduleSchema)),
})

export type LaunchPlan = z.infer<typeof launchPlanSchema>
