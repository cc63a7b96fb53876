import { type Client, createClient, http, type Transport } from 'viem'
import { DEV_CHAIN_ID, KNOWN_NETWORKS } from '../../../protocol/networks.ts'

/** The address of Multicall3 on every public chain, and on the local one. */
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const TIMEOUT_MS = 10_000
const MOST_CALLS_PER_REQUEST = 50

/** Networks by the names that `NEXT_PUBLIC_NETWORK_NAME` takes. */
export const CHAIN_IDS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(KNOWN_NETWORKS)
    .filter(({ chainId }) => chainId !== DEV_CHAIN_ID)
    .map(({ name, chainId }) => [name.toLowerCase().replace(' ', '-'), chainId]),
)

/**
 * A client for reading: it sends calls that are made at once in one request, and reads of contracts at once in one call. A failed
 * request is sent once more.
 */
export function createReadClient(chainId: number, rpcUrl: string): Client<Transport> {
  return createClient({
    chain: {
      id: chainId,
      name: `Chain ${chainId}`,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
      contracts: { multicall3: { address: MULTICALL3 } },
    },
    batch: { multicall: true },
    transport: http(rpcUrl, { batch: { batchSize: MOST_CALLS_PER_REQUEST }, timeout: TIMEOUT_MS, retryCount: 1 }),
  })
}
