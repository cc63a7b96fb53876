import * as z from 'zod'

const hex = z.templateLiteral(['0x', z.string()])

const factsSchema = z.object({
  origin: z.string(),
  rpcUrl: z.string(),
  chainId: z.number(),
  usdc: hex,
  payTo: hex,
  publicUrl: z.string(),
  modelProviderUrl: z.string(),
  buyers: z.array(z.object({ address: hex, privateKey: hex })).min(1),
})

export type StackFacts = z.infer<typeof factsSchema>

/** The facts that the running stack printed. */
export function stackFacts(): StackFacts {
  return factsSchema.parse(JSON.parse(process.env['COINSLOT_BROWSER_STACK'] ?? 'null'))
}
