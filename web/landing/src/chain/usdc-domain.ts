import { decodeFunctionResult, domainSeparator, encodeFunctionData, type Hex } from 'viem'
import { callOrNothing } from '../../../src/lib/wallet/chain.ts'
import type { Provider } from '../../../src/lib/wallet/provider.ts'
import type { SaleConfig } from '../config.ts'

/** Written out: reading it from text would take a tenth of the site's script. */
const view = { type: 'function', stateMutability: 'view' } as const
const abi = [
  { ...view, name: 'name', inputs: [], outputs: [{ type: 'string' }] },
  { ...view, name: 'version', inputs: [], outputs: [{ type: 'string' }] },
  { ...view, name: 'DOMAIN_SEPARATOR', inputs: [], outputs: [{ type: 'bytes32' }] },
  { ...view, name: 'nonces', inputs: [{ type: 'address' }], outputs: [{ type: 'uint256' }] },
] as const

/**
 * The domain in which USDC takes permits, and the owner's next nonce. Null when the token has none, or signs in another one. Throws
 * when no node answers: that says nothing about the token.
 */
export async function readDomain(
  provider: Provider,
  { usdc, chainId }: Pick<SaleConfig, 'usdc' | 'chainId'>,
  owner: Hex,
) {
  const ask = (data: Hex): Promise<Hex> => callOrNothing(provider, { to: usdc, data })
  const answers = await Promise.all([
    ask(encodeFunctionData({ abi, functionName: 'name' })),
    ask(encodeFunctionData({ abi, functionName: 'version' })),
    ask(encodeFunctionData({ abi, functionName: 'DOMAIN_SEPARATOR' })),
    ask(encodeFunctionData({ abi, functionName: 'nonces', args: [owner] })),
  ])
  if (answers.includes('0x')) return null
  const [name, version, separator, nonce] = answers
  const domain = {
    name: decodeFunctionResult({ abi, functionName: 'name', data: name }),
    version: decodeFunctionResult({ abi, functionName: 'version', data: version }),
    chainId,
    verifyingContract: usdc,
  }
  return domainSeparator({ domain }) === separator ? { domain, nonce: BigInt(nonce) } : null
}
