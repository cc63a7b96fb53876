import { DEV_CHAIN_ID, knownNetwork } from '../../../protocol/networks.ts'

/**
 * The node of a chain: that of the build's `NEXT_PUBLIC_<NETWORK>_RPC_URL`, or a public one. Null for a chain without one. Public nodes
 * limit how often one browser may ask: name another one in production.
 *
 * @example rpcUrlOf(8453, {}) // 'https://mainnet.base.org'
 */
export function rpcUrlOf(chainId: number, env: Readonly<Record<string, unknown>>): string | null {
  const known = knownNetwork(`eip155:${chainId}`)
  if (known === undefined || chainId === DEV_CHAIN_ID) return null
  const url = env[`NEXT_PUBLIC_${known.rpcVariable}`]
  return typeof url === 'string' && url !== '' ? url : known.defaultRpcUrl
}
