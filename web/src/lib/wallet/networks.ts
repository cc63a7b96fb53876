export interface Network {
  chainId: number
  name: string
  /** Address of a transaction is `${explorer}/tx/${hash}`; null where the chain has none. */
  explorer: string | null
  /** A node that a wallet may use when it must add the chain; this site itself calls none. */
  rpcUrl: string | null
}

const env = import.meta.env

const NETWORKS: readonly Network[] = [
  {
    chainId: 1,
    name: 'Ethereum',
    explorer: 'https://etherscan.io',
    rpcUrl: env['NEXT_PUBLIC_ETHEREUM_RPC_URL'] || 'https://ethereum-rpc.publicnode.com',
  },
  {
    chainId: 11155111,
    name: 'Sepolia',
    explorer: 'https://sepolia.etherscan.io',
    rpcUrl: env['NEXT_PUBLIC_SEPOLIA_RPC_URL'] || 'https://ethereum-sepolia-rpc.publicnode.com',
  },
  {
    chainId: 8453,
    name: 'Base',
    explorer: 'https://basescan.org',
    rpcUrl: env['NEXT_PUBLIC_BASE_RPC_URL'] || 'https://mainnet.base.org',
  },
  {
    chainId: 84532,
    name: 'Base Sepolia',
    explorer: 'https://sepolia.basescan.org',
    rpcUrl: env['NEXT_PUBLIC_BASE_SEPOLIA_RPC_URL'] || 'https://sepolia.base.org',
  },
  { chainId: 31337, name: 'Local chain', explorer: null, rpcUrl: null },
]

/** What is known of a chain; a chain this site has never heard of is shown by its number. */
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

/** Address of a transaction's page, or null: an id that is no hash, a chain without explorer. */
export function explorerLink(caip2: string | null, hash: string | null): string | null {
  const chainId = chainIdOf(caip2)
  if (chainId === null || hash === null || !/^0x[0-9a-fA-F]{64}$/.test(hash)) return null
  const { explorer } = networkOf(chainId)
  return explorer === null ? null : `${explorer}/tx/${hash}`
}
