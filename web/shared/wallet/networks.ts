import { chainIdOf, knownNetwork } from '../../../protocol/networks.ts'
import { rpcUrlOf } from './rpc-urls.ts'

export interface Network {
  chainId: number
  name: string
  /** The page of a transaction is `${explorer}/tx/${hash}`. Null if the chain has no explorer. */
  explorer: string | null
  /** A node for a wallet that adds the chain. This site itself does not call it. */
  rpcUrl: string | null
}

/** A known chain, or an entry named by its number. */
export function networkOf(chainId: number): Network {
  const known = knownNetwork(`eip155:${chainId}`)
  return {
    chainId,
    name: known?.name ?? `Chain ${chainId}`,
    explorer: known?.explorer ?? null,
    rpcUrl: rpcUrlOf(chainId, import.meta.env),
  }
}

/** Address of a transaction's page. Null if the id is not a hash or the chain has no explorer. */
export function explorerLink(caip2: string | null, hash: string | null): string | null {
  const chainId = chainIdOf(caip2 ?? '')
  if (chainId === 0 || hash === null || !/^0x[0-9a-fA-F]{64}$/.test(hash)) return null
  const { explorer } = networkOf(chainId)
  return explorer === null ? null : `${explorer}/tx/${hash}`
}
