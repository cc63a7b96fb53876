import { join } from 'node:path'
import { freePort } from '../../dev/process/ports.ts'
import type { Bundle } from '../../dev/worker/bundle.ts'
import type { PeerFacts } from '../stubs/start.ts'
import { bundlePeer } from './bundle.ts'
import { CHAIN_ID, databaseUrlOf, PAY_TO, REQUEST, USDC } from './coinslot.ts'
import { type Served, serveRaw } from './serve.ts'

export interface PeerOptions {
  peers: PeerFacts
  dir: string
  bundle: Bundle
  /** Further variables of this peer. */
  env?: Record<string, string>
}

/** Bundles a peer of `bench/peers` like ours: the same compatibility holds. */
export const bundleOf = (name: 'nothing' | 'unpaid' | 'paid', dir: string, ours: Bundle): Promise<Bundle> =>
  bundlePeer(join(import.meta.dirname, `../peers/${name}.ts`), join(dir, `peer-${name}`), ours)

/** A peer in raw workerd, like ours. */
export async function servePeer({ peers, dir, bundle, env: further }: PeerOptions): Promise<Served> {
  const env = {
    NETWORK: `eip155:${CHAIN_ID}`,
    USDC,
    PAY_TO,
    FACILITATOR_URL: peers.facilitatorUrl,
    PROVIDER_URL: peers.providerUrl,
    STORE_URL: peers.storeUrl,
    DATABASE_URL: databaseUrlOf(peers),
    DATABASE_HTTP_URL: peers.databaseHttpUrl,
    ...further,
  }
  const probe = async (origin: string): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${origin}/api/inference`, { method: 'POST', headers, body: JSON.stringify(REQUEST) })
    await response.arrayBuffer()
    if (response.status !== 402) throw new Error(`expected 402, got ${response.status}`)
  }
  return serveRaw({ bundle, port: await freePort(), env, dir, probe })
}
