import type { Address, Hex } from 'viem'
import { startStack } from '../stack/stack.ts'
import { findRunningStack, type StackInfo } from '../stack/stack-info.ts'
import type { DemoFlags } from './flags.ts'
import type { Screen } from './screen.ts'

/** Where the demo buys, and with what. */
export interface Shop {
  origin: string
  chainId: number
  key: Hex
  /** Null at a deployment whose RPC we were not told. */
  chain: {
    rpcUrl: string
    usdc: Address
    aic: Address | null
    /** AIC in the form that pays. */
    wrappedAic: Address | undefined
    staking: Address | undefined
  } | null
  close(): Promise<void>
}

/** The deployment that was named, else the stack that runs beside us, else one of our own that ends with the demo. */
export async function findShop(flags: DemoFlags, screen: Screen): Promise<Shop> {
  if (flags.origin !== undefined && flags.key !== undefined) {
    return {
      origin: flags.origin,
      key: flags.key,
      chainId: flags.chainId,
      chain: null,
      close: async () => undefined,
    }
  }
  const running = await findRunningStack()
  if (running) {
    screen.line(`  using the stack at ${running.origin}`)
    return shopOf(running, flags, async () => undefined)
  }
  screen.wait('starting a stack, since none runs')
  const stack = await startStack({ shell: process.env, site: false, limits: false })
  screen.done('started a stack', stack.facts.origin)
  return shopOf(stack.facts, flags, () => stack.stop())
}

function shopOf(facts: StackInfo, flags: DemoFlags, close: () => Promise<void>): Shop {
  // The first buyer has no AIC; the last of the usual five has some of it free to stake or to pay with.
  const needsAic = flags.pay === 'aic' || flags.stake !== undefined
  const key = flags.key ?? facts.buyers[needsAic ? 4 : 0]?.privateKey
  if (key === undefined) throw new Error('the stack has no such buyer; give --key')
  const { origin, chainId, rpcUrl, usdc, aic, contracts } = facts
  const { wrappedAic, aicStaking: staking } = contracts
  return { origin, chainId, key, chain: { rpcUrl, usdc, aic, wrappedAic, staking }, close }
}
