import { type Hex, isHex } from 'viem'
import { isRefusedByContract, walletTrouble } from './errors.ts'
import { networkOf } from './networks.ts'
import { DEV_CHAIN, type Provider, readChainId } from './provider.ts'

/** True if the wallet is now on the requested chain. */
export type ChainAnswer = 'ready' | 'rejected' | 'pending' | 'refused'

/** The wallet's present chain, or null if it does not answer with one. */
export async function currentChain(provider: Provider): Promise<number | null> {
  return readChainId(await provider.request({ method: 'eth_chainId' }))
}

/**
 * Switches the wallet to `chainId`, and adds the chain if the wallet does not know it. Then it reads the chain again and trusts only
 * that: a wallet that answers with success and did not switch is `refused`. Calls `onSwitch` before it asks for a switch.
 */
export async function ensureChain(
  provider: Provider,
  chainId: number,
  onSwitch: () => void = () => undefined,
): Promise<ChainAnswer> {
  if ((await currentChain(provider)) === chainId) return 'ready'
  onSwitch()
  const chain = { chainId: `0x${chainId.toString(16)}` }
  const switched = await attempt(provider, 'wallet_switchEthereumChain', chain)
  if (switched === 'rejected' || switched === 'pending') return switched
  if ((await currentChain(provider)) === chainId) return 'ready'
  // The chain is unknown, or the error is not recognised, or the wallet did not switch. Try to add the chain.
  const added = await attempt(provider, 'wallet_addEthereumChain', addRequest(chainId))
  if (added === 'rejected' || added === 'pending') return added
  return (await currentChain(provider)) === chainId ? 'ready' : 'refused'
}

async function attempt(provider: Provider, method: string, chain: unknown) {
  try {
    await provider.request({ method, params: [chain] })
    return 'accepted'
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

/** Reads a contract, or simulates a transaction, through the wallet's node. Throws if the contract refuses the call. */
export async function callContract(provider: Provider, call: { from?: Hex; to: Hex; data: Hex }): Promise<Hex> {
  const answer = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
  if (!isHex(answer)) throw new Error('not an answer of a contract')
  return answer
}

/** Like `callContract`, but `0x` where the contract refuses, as one without the function does. Throws if no node answers. */
export async function callOrNothing(provider: Provider, call: { from?: Hex; to: Hex; data: Hex }): Promise<Hex> {
  try {
    return await callContract(provider, call)
  } catch (error) {
    if (isRefusedByContract(error)) return '0x'
    throw error
  }
}
