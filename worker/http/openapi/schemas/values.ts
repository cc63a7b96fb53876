import * as z from 'zod'

/** Money, times and names as every answer writes them. */
export const makeValues = () => ({
  usdc: z
    .string()
    .regex(/^\d+\.\d{6}$/)
    .meta({ description: 'USDC with exactly 6 decimals.', examples: ['0.010000'] }),
  aic: z
    .string()
    .regex(/^\d+\.\d{18}$/)
    .meta({ description: 'AIC with exactly 18 decimals.', examples: ['1000.000000000000000000'] }),
  pct: z.string().regex(/^\d+\.\d{2}$/),
  rate: z
    .string()
    .regex(/^\d+\.\d{9}$/)
    .meta({ description: 'USDC per second with exactly 9 decimals.' }),
  atomic: z.string().regex(/^\d+$/).meta({ description: 'Atomic units of the asset, an integer. 1 USDC is 1000000.' }),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .meta({ description: 'EIP-55.', examples: ['0x036CbD53842c5426634e7929541eC2318f3dCF7e'] }),
  hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  hex: z.string().regex(/^0x([0-9a-fA-F]{2})*$/),
  network: z
    .string()
    .regex(/^eip155:\d+$/)
    .meta({ description: 'CAIP-2.', examples: ['eip155:8453'] }),
  /** A hash, or on the dev chain without a facilitator a UUID in its place. */
  transaction: z.string().meta({ description: 'Transaction hash.' }),
  time: z.iso.datetime(),
  id: z.uuid(),
  task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
  status: z.enum(['pending', 'succeeded', 'failed']),
  tier: z.enum(['free', 'standard', 'premium']),
  input: z.record(z.string(), z.unknown()),
})

export type Values = ReturnType<typeof makeValues>
