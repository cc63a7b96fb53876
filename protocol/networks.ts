type Address = `0x${string}`

/** Circle's USDC on one chain, with its EIP-712 domain. */
export interface Usdc {
  address: Address
  name: string
  version: string
}

/** The facts of a network that need no configuration. */
export interface KnownNetwork {
  chainId: number
  name: string
  isTest: boolean
  /** The variable that names its RPC. The site's own has `NEXT_PUBLIC_` before it. */
  rpcVariable: string
  /** A public RPC for where the variable is not set; production should name its own. */
  defaultRpcUrl: string
  /** The page of a transaction is `${explorer}/tx/${hash}`. Null if the chain has no explorer. */
  explorer: string | null
  /** Its domain differs by chain. Undefined where a deployment brings its own. */
  usdc?: Usdc
}

/** A local development chain. Its money is worth nothing, and each has its USDC at another address. */
export const DEV_CHAIN_ID = 31337
export const DEV_NETWORK = `eip155:${DEV_CHAIN_ID}`

/** Every network a deployment may list in `PAYMENT_NETWORKS`. */
export const KNOWN_NETWORKS: Readonly<Record<string, KnownNetwork>> = {
  'eip155:1': {
    chainId: 1,
    name: 'Ethereum',
    isTest: false,
    rpcVariable: 'ETHEREUM_RPC_URL',
    defaultRpcUrl: 'https://ethereum-rpc.publicnode.com',
    explorer: 'https://etherscan.io',
    usdc: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', name: 'USD Coin', version: '2' },
  },
  'eip155:11155111': {
    chainId: 11155111,
    name: 'Sepolia',
    isTest: true,
    rpcVariable: 'SEPOLIA_RPC_URL',
    defaultRpcUrl: 'https://ethereum-sepolia-rpc.publicnode.com',
    explorer: 'https://sepolia.etherscan.io',
    usdc: { address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', name: 'USDC', version: '2' },
  },
  'eip155:8453': {
    chainId: 8453,
    name: 'Base',
    isTest: false,
    rpcVariable: 'BASE_RPC_URL',
    defaultRpcUrl: 'https://mainnet.base.org',
    explorer: 'https://basescan.org',
    usdc: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin', version: '2' },
  },
  'eip155:84532': {
    chainId: 84532,
    name: 'Base Sepolia',
    isTest: true,
    rpcVariable: 'BASE_SEPOLIA_RPC_URL',
    defaultRpcUrl: 'https://sepolia.base.org',
    explorer: 'https://sepolia.basescan.org',
    usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2' },
  },
  'eip155:31337': {
    chainId: DEV_CHAIN_ID,
    name: 'Local chain',
    isTest: true,
    rpcVariable: 'DEV_RPC_URL',
    defaultRpcUrl: 'http://127.0.0.1:8545',
    explorer: null,
  },
}

/**
 * USDC of the dev chain: on a fork it stands at its chain's own address and keeps that chain's domain name; elsewhere it was
 * deployed as `USD Coin`.
 */
export function devUsdc(address: Address): Usdc {
  const forked = Object.values(KNOWN_NETWORKS).find(({ usdc }) => usdc?.address.toLowerCase() === address.toLowerCase())
  return forked?.usdc ?? { address, name: 'USD Coin', version: '2' }
}

/** The name of a network, or its CAIP-2 id where it has none here. */
export const networkName = (network: string): string => knownNetwork(network)?.name ?? network

/** The network of a CAIP-2 id; undefined where it is not in the table. */
export const knownNetwork = (network: string): KnownNetwork | undefined =>
  Object.hasOwn(KNOWN_NETWORKS, network) ? KNOWN_NETWORKS[network] : undefined

/** Circle's USDC on a network, whatever a service says about its token; undefined where the network has none. */
export const usdcOf = (network: string): Usdc | undefined => knownNetwork(network)?.usdc

/** The largest chain id that the database's integer columns hold. */
const MAX_CHAIN_ID = 2 ** 31 - 1

/**
 * The chain id of a CAIP-2 name. Returns 0, which no chain has, if the name is not of an EVM chain.
 *
 * @example chainIdOf('eip155:8453') // 8453
 */
export function chainIdOf(network: string): number {
  const chainId = Number(/^eip155:([1-9]\d{0,9})$/.exec(network)?.[1] ?? 0)
  return chainId <= MAX_CHAIN_ID ? chainId : 0
}
