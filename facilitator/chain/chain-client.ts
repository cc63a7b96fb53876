import { type Client, createClient, defineChain, type Hex, http, parseAbi, type Transport } from 'viem'
import { getBalance, getBlock, getCode, readContract } from 'viem/actions'
import { chainIdOf } from '../../protocol/networks.ts'
import type { Settlement } from '../store/store.ts'
import { makeTogether, type Timing } from '../timing.ts'

export interface ChainClientOptions {
  network: `eip155:${string}`
  /** Default: HTTP at `rpcUrl`. */
  transport?: Transport
  rpcUrl: string
  pollingIntervalMs: number
}

/** The address of Multicall3 on every public chain: many balances are read by it in one call. */
export const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** JSON-RPC calls in one HTTP request at most, of those that come at the same moment. */
const BATCH_SIZE = 100

const authorizationAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

/** A client of one chain. With `isBatched` it sends the calls of one moment in one HTTP request. */
function connectAs({ network, rpcUrl, transport, pollingIntervalMs }: ChainClientOptions, isBatched: boolean): Client {
  const chain = defineChain({
    id: chainIdOf(network),
    name: network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: MULTICALL3 } },
    fees: { baseFeeMultiplier: 1 },
  })
  return createClient({
    chain,
    transport:
      transport ?? http(rpcUrl, { timeout: 10_000, retryCount: 1, batch: isBatched && { batchSize: BATCH_SIZE } }),
    pollingInterval: pollingIntervalMs,
  })
}

export const connect = (options: ChainClientOptions): Client => connectAs(options, false)

/** True if the authorization is used or cancelled. */
export const readIsUsed = (client: Client, { asset, payer, key }: Settlement): Promise<boolean> =>
  readContract(client, {
    address: asset,
    abi: authorizationAbi,
    functionName: 'authorizationState',
    args: [payer, `0x${key.slice(-64)}`],
  })

/**
 * Reads the code of accounts; `0x` for those without. What is asked for at the same moment is one HTTP request, each account once;
 * where the node takes no such request, or not one so large, each is asked for by itself.
 */
export function makeCodes(options: ChainClientOptions & { timing: Timing }): (address: Hex) => Promise<Hex> {
  const [together, alone] = [connectAs(options, true), connectAs(options, false)]
  const readCode = (address: Hex) => getCode(together, { address }).catch(() => getCode(alone, { address }))
  const read = async (addresses: Hex[]): Promise<Hex[]> => {
    const codes = new Map([...new Set(addresses)].map((address) => [address, readCode(address)]))
    return Promise.all(addresses.map(async (address) => (await codes.get(address)) ?? '0x'))
  }
  return makeTogether(read, options.timing)
}

/** Wei left for gas. */
export const readBalance = (client: Client, address: Hex): Promise<bigint> => getBalance(client, { address })

/** Time of the newest block, in seconds. */
export const readBlockTime = async (client: Client): Promise<bigint> => (await getBlock(client)).timestamp
