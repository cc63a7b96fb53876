import { type Client, createClient, defineChain, type Hex, http, parseAbi, type Transport } from 'viem'
import { getBalance, getBlock, getCode, readContract } from 'viem/actions'
import { MULTICALL3 } from './payment-call.ts'
import type { Settlement } from './store.ts'

export interface ChainClientOptions {
  network: `eip155:${string}`
  /** Default: HTTP at `rpcUrl`. */
  transport?: Transport
  rpcUrl: string
  pollingIntervalMs: number
}

const authorizationAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

export const chainIdOf = (network: `eip155:${string}`): number => Number(network.slice('eip155:'.length))

/** A client of one chain. */
export function connect({ network, rpcUrl, transport, pollingIntervalMs }: ChainClientOptions): Client {
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
    transport: transport ?? http(rpcUrl, { timeout: 10_000, retryCount: 1 }),
    pollingInterval: pollingIntervalMs,
  })
}

/** Whether the authorization is used or cancelled. */
export const readIsUsed = (client: Client, { asset, payer, key }: Settlement): Promise<boolean> =>
  readContract(client, {
    address: asset,
    abi: authorizationAbi,
    functionName: 'authorizationState',
    args: [payer, `0x${key.slice(-64)}`],
  })

export const readCode = async (client: Client, address: Hex): Promise<Hex> =>
  (await getCode(client, { address })) ?? '0x'

/** Wei left for gas. */
export const readBalance = (client: Client, address: Hex): Promise<bigint> => getBalance(client, { address })

/** Time of the newest block, in seconds. */
export const readBlockTime = async (client: Client): Promise<bigint> => (await getBlock(client)).timestamp
