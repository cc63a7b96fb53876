export interface Network {
  chainId: number
  name: string
  /** Address of a transaction is `${explorer}/tx/${hash}`; null where the chain has none. */
  explorer: string | null
  rpcUrl: string | null
  isTest: boolean
}

/** The chain of a local stack, on whatever id it runs. */
export const DEV_CHAIN_NAME = 'Local chain'

const env = import.meta.env

const NETWORKS: readonly Network[] = [
  network(1, 'Ethereum', 'https://etherscan.io', env['NEXT_PUBLIC_ETHEREUM_RPC_URL'], false),
  network(11155111, 'Sepolia', 'https://sepolia.etherscan.io', env['NEXT_PUBLIC_SEPOLIA_RPC_URL'], true),
  network(8453, 'Base', 'https://basescan.org', env['NEXT_PUBLIC_BASE_RPC_URL'], false),
  network(84532, 'Base Sepolia', 'https://sepolia.basescan.org', env['NEXT_PUBLIC_BASE_SEPOLIA_RPC_URL'], true),
  network(31337, DEV_CHAIN_NAME, null, undefined, true),
]

function network(chainId: number, name: string, explorer: string | null, rpc: unknown, isTest: boolean): Network {
  return { chainId, name, explorer, rpcUrl: typeof rpc === 'string' && rpc !== '' ? rpc : null, isTest }
}

/** What is known of a chain; a chain this site has never heard of is shown by its number. */
export function networkOf(chainId: number): Network {
  return (
    NETWORKS.find((known) => known.chainId === chainId) ?? {
      chainId,
      name: `Chain ${chainId}`,
      explorer: null,
      rpcUrl: null,
      isTest: true,
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
