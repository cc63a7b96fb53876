import type { Provider } from './provider.ts'

const BALANCE_OF = '0x70a08231'

/** Balance in atomic units, read through the wallet's own node; it must stand on the token's chain. */
export async function readBalance(provider: Provider, token: string, owner: string): Promise<bigint> {
  const data = `${BALANCE_OF}${owner.slice(2).toLowerCase().padStart(64, '0')}`
  const answer = await provider.request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(answer)) throw new Error('not a balance')
  return BigInt(answer)
}
