import { rpcUrlOf } from './rpc-urls.ts'

export interface Network {
  chainId: number
  name: string
  /** The page of a transaction is `${explorer}/tx/${hash}`. Null if the chain has no explorer. */
  explorer: string | null
  /** A node for a wallet that adds the chain. This site itself does not call it. */
  rpcUrl: string | null
}

const env = import.meta.env

const NETWORKS: readonly Network[] = [
  {
    chainId: 1,
    name: 'Ethereum',
    explorer: 'https://etherscan.io',
    rpcUrl: rpcUrlOf(1, env),
  },
  {
    chainId: 11155111,
    name: 'Sepolia',
    explorer: 'https://sepolia.etherscan.io',
    rpcUrl: rpcUrlOf(11155111, env),
  },
  {
    chainId: 8453,
    name: 'Base',
    explorer: 'https://basescan.org',
    rpcUrl: rpcUrlOf(8453, env),
  },
  {
    chainId: 84532,
    name: 'Base Sepolia',
    explorer: 'https://sepolia.basescan.org',
    rpcUrl: rpcUrlOf(84532, env),
  },
  { chainId: 31337, name: 'Local chain', explorer: null, rpcUrl: null },
]

/** A known chain, or an entry named by its number. */
export function networkOf(chainId: number): Network {
  return (
    NETWORKS.find((known) => known.chainId === chainId) ?? {
      chainId,
      name: `Chain ${chainId}`,
      explorer: null,
      rpcUrl: null,
    }
  )
}

/** Chain id of a CAIP-2 name such as `eip155:8453`; null for others. */
export function chainIdOf(caip2: string | null): number | null {
  const id = /^eip155:([1-9]\d{0,15})$/.exec(caip2 ?? '')?.[1]
  return id === undefined ? null : Number(id)
}

/** Address of a transaction's page. Null if the id is not a hash or the chain has no explorer. */
export function explorerLink(caip2: string | null, hash: string | null): string | null {
  const chainId = chainIdOf(caip2)
  if (chainId === null || hash === null || !/^0x[0-9a-fA-F]{64}$/.test(hash)) return null
  const { explorer } = networkOf(chainId)
  return explorer === null ? null : `${explorer}/tx/${hash}`
}
