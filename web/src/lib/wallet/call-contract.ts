import { type Hex, isHex } from 'viem'
import type { Provider } from './provider.ts'

/** Reads a contract, or simulates a transaction, through the wallet's node. Throws if the contract refuses the call. */
export async function callContract(provider: Provider, call: { from?: Hex; to: Hex; data: Hex }): Promise<Hex> {
  const answer = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
  if (!isHex(answer)) throw new Error('not an answer of a contract')
  return answer
}
