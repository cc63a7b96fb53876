/** By chain id: the variable that names a node, and a public node for when it is not set. */
const NODES: Readonly<Record<number, readonly [variable: string, publicNode: string]>> = {
  1: ['NEXT_PUBLIC_ETHEREUM_RPC_URL', 'https://ethereum-rpc.publicnode.com'],
  11155111: ['NEXT_PUBLIC_SEPOLIA_RPC_URL', 'https://ethereum-sepolia-rpc.publicnode.com'],
  8453: ['NEXT_PUBLIC_BASE_RPC_URL', 'https://mainnet.base.org'],
  84532: ['NEXT_PUBLIC_BASE_SEPOLIA_RPC_URL', 'https://sepolia.base.org'],
}

/**
 * The node of a chain by the variables of the build; null for a chain without one. Public nodes limit how often one browser may ask:
 * name another one in production.
 * @example rpcUrlOf(8453, {}) // 'https://mainnet.base.org'
 */
export function rpcUrlOf(chainId: number, env: Readonly<Record<string, unknown>>): string | null {
  const node = NODES[chainId]
  if (node === undefined) return null
  const [variable, publicNode] = node
  const url = env[variable]
  return typeof url === 'string' && url !== '' ? url : publicNode
}
