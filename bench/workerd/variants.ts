import { startChain } from '../../dev/anvil/chain.ts'
import type { BenchContext } from '../benchmark.ts'
import type { StubFacts } from '../stubs/start.ts'
import { type OurSide, REQUEST, serveCoinslot, signedInBuyer } from './coinslot.ts'

/** Our worker with its rate limits on. The limiters count and allow every call. */
export async function serveWithLimits({ dir, defer }: BenchContext, stubs: StubFacts, ours: OurSide): Promise<OurSide> {
  const side = await serveCoinslot(stubs, dir, { bundle: ours.bundle, env: { RATE_LIMITS: 'on' } })
  defer(side.stop)
  return side
}

/** Our worker with a price in AIC, whose token is on a chain that the worker reads once. */
export async function serveWithAic({ dir, defer }: BenchContext, stubs: StubFacts, ours: OurSide): Promise<OurSide> {
  const chain = await startChain({ buyers: 1 })
  defer(() => chain.close())
  const env = {
    DEV_RPC_URL: chain.url,
    AIC_PAYMENT_TOKEN_ADDRESS: chain.contracts['wrappedAic'] ?? '',
    AIC_USDC_RATE: '10',
  }
  const side = await serveCoinslot(stubs, dir, { bundle: ours.bundle, env })
  defer(side.stop)
  const { accepts } = await (await signedInBuyer(side.env)).quote(REQUEST)
  if (accepts.length !== 2) throw new Error(`expected prices in USDC and AIC, got ${accepts.length}`)
  return side
}
