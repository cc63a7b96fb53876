import { DEV_CHAIN } from '../dev-chain.ts'
import { walletTrouble } from './errors.ts'
import { networkOf } from './networks.ts'
import { type Provider, readChainId } from './provider.ts'

/** Whether the wallet now stands on the chain that was asked for. */
export type ChainAnswer = 'ready' | 'rejected' | 'pending' | 'refused'

/** The wallet's chain now, or null where it will not say. */
export async function currentChain(provider: Provider): Promise<number | null> {
  return readChainId(await provider.request({ method: 'eth_chainId' }))
}

/**
 * Brings the wallet to `chainId`: switch, add where the wallet does not know it, then read again and believe only that.
 * A wallet that says yes and stays where it was is `refused`.
 */
export async function ensureChain(provider: Provider, chainId: number): Promise<ChainAnswer> {
  if ((await currentChain(provider)) === chainId) return 'ready'
  const chain = { chainId: `0x${chainId.toString(16)}` }
  const switched = await attempt(provider, 'wallet_switchEthereumChain', chain)
  if (switched === 'rejected' || switched === 'pending') return switched
  if ((await currentChain(provider)) === chainId) return 'ready'
  // Unknown to the wallet, refused in words that nobody lists, or a yes without a switch: adding is the one thing left.
  const added = await attempt(provider, 'wallet_addEthereumChain', addRequest(chainId))
  if (added === 'rejected' || added === 'pending') return added
  return (await currentChain(provider)) === chainId ? 'ready' : 'refused'
}

async function attempt(provider: Provider, method: string, chain: unknown) {
  try {
    await provider.request({ method, params: [chain] })
    return 'said_yes'
  } catch (error) {
    return walletTrouble(error)
  }
}

function addRequest(chainId: number) {
  const { name, explorer, rpcUrl } = networkOf(chainId)
  const node = DEV_CHAIN ? `${location.origin}/dev/rpc` : rpcUrl
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: node === null ? [] : [node],
    ...(explorer === null ? {} : { blockExplorerUrls: [explorer] }),
  }
}
