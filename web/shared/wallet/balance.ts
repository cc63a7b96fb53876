import type { Hex } from 'viem'
import { currentChain } from './chain.ts'
import type { Provider } from './provider.ts'

const BALANCE_OF = '0x70a08231'

/** The data of the call that reads a token's balance. */
export const balanceOfCall = (owner: string): Hex => `${BALANCE_OF}${owner.slice(2).toLowerCase().padStart(64, '0')}`

/** The owner's balance of a token in atomic units. Null if the wallet is on another chain or does not answer. */
export async function balanceIn(
  provider: Provider,
  token: { chainId: number; asset: string },
  owner: string,
): Promise<bigint | null> {
  try {
    if ((await currentChain(provider)) !== token.chainId) return null
    return await readBalance(provider, token.asset, owner)
  } catch (cause) {
    console.warn('coinslot: the wallet returned no balance', cause instanceof Error ? cause.message : '')
    return null
  }
}

/** Reads the balance through the wallet's own node. */
async function readBalance(provider: Provider, token: string, owner: string): Promise<bigint> {
  const call = { to: token, data: balanceOfCall(owner) }
  const answer = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(answer)) throw new Error('not a balance')
  return BigInt(answer)
}
