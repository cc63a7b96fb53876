import { currentChain } from './chain.ts'
import { readBalance } from './erc20.ts'
import type { Provider } from './provider.ts'

/** The owner's balance of a token in atomic units, or null where the wallet stands on another chain or will not say. */
export async function balanceIn(
  provider: Provider,
  token: { chainId: number; asset: string },
  owner: string,
): Promise<bigint | null> {
  try {
    if ((await currentChain(provider)) !== token.chainId) return null
    return await readBalance(provider, token.asset, owner)
  } catch (cause) {
    console.warn('coinslot: the wallet gave no balance', cause instanceof Error ? cause.message : '')
    return null
  }
}
