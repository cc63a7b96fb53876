import * as z from 'zod'

const hex = z.templateLiteral(['0x', z.string()])

const stackInfoSchema = z.object({
  origin: z.string(),
  rpcUrl: z.string(),
  chainId: z.number(),
  usdc: hex,
  payTo: hex,
  aic: hex,
  contracts: z.record(z.string(), hex),
  publicUrl: z.string(),
  modelProviderUrl: z.string(),
  buyers: z.array(z.object({ address: hex, privateKey: hex })).min(1),
})

export type StackInfo = z.infer<typeof stackInfoSchema>

/** The ready line of the running stack. */
export function readStackInfo(line = process.env['COINSLOT_BROWSER_STACK']): StackInfo {
  return stackInfoSchema.parse(JSON.parse(line ?? 'null'))
}
