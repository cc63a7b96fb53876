import { join } from 'node:path'
import { freePort } from '../../dev/process/ports.ts'
import type { Bundle } from '../../dev/worker/bundle.ts'
import type { StubFacts } from '../stubs/start.ts'
import { bundleBaseline } from './bundle.ts'
import { CHAIN_ID, databaseUrlOf, PAY_TO, REQUEST, USDC } from './coinslot.ts'
import { type Served, serveRaw } from './serve.ts'

export interface BaselineOptions {
  stubs: StubFacts
  dir: string
  bundle: Bundle
  /** Further variables of this baseline. */
  env?: Record<string, string>
  /** Headers of the call that shows that it is up. */
  headers?: Record<string, string>
}

/** Bundles a file of `bench/baselines` with the worker's compatibility settings. */
export const bundleOf = (
  name: 'noop' | 'unpaid' | 'unpaid-stock' | 'paid' | 'paid-stock',
  dir: string,
  ours: Bundle,
): Promise<Bundle> =>
  bundleBaseline(join(import.meta.dirname, `../baselines/${name}.ts`), join(dir, `baseline-${name}`), ours)

/** Serves a baseline in raw workerd, as the worker is served. */
export async function serveBaseline({
  stubs,
  dir,
  bundle,
  env: further,
  headers: own,
}: BaselineOptions): Promise<Served> {
  const env = {
    NETWORK: `eip155:${CHAIN_ID}`,
    USDC,
    PAY_TO,
    FACILITATOR_URL: stubs.facilitatorUrl,
    PROVIDER_URL: stubs.providerUrl,
    STORE_URL: stubs.storeUrl,
    DATABASE_URL: databaseUrlOf(stubs),
    DATABASE_HTTP_URL: stubs.databaseHttpUrl,
    ...further,
  }
  const probe = async (origin: string): Promise<void> => {
    const headers = { 'content-type': 'application/json', ...own }
    const response = await fetch(`${origin}/api/inference`, { method: 'POST', headers, body: JSON.stringify(REQUEST) })
    await response.arrayBuffer()
    if (response.status !== 402) throw new Error(`expected 402, got ${response.status}`)
  }
  return serveRaw({ bundle, port: await freePort(), env, dir, probe })
}
