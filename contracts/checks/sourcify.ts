import type { Address } from 'viem'

export const SOURCIFY = 'https://sourcify.dev/server'
const TIMEOUT_MS = 10_000

/** Whether Sourcify has a source that compiles to a contract's code. Throws when it does not answer. */
export async function isVerifiedBySourcify(
  chainId: number,
  address: Address,
  { url = SOURCIFY, fetch: send = fetch }: { url?: string; fetch?: typeof fetch } = {},
): Promise<boolean> {
  const response = await send(`${url}/v2/contract/${chainId}/${address}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  // Sourcify answers 404 with the same body for a contract that it does not know.
  if (response.status === 404) return false
  if (!response.ok) throw new Error(`Sourcify answers ${response.status}`)
  return hasMatch(await response.json())
}

/** Throws when the answer is not Sourcify's. */
function hasMatch(body: unknown): boolean {
  const match = typeof body === 'object' && body !== null && 'match' in body ? body.match : undefined
  if (match === null) return false
  if (match === 'match' || match === 'exact_match') return true
  throw new Error('Sourcify answers something else than a match')
}
