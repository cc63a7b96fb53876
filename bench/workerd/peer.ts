import { join } from 'node:path'
import { freePort } from '../../dev/stack/ports.ts'
import type { Bundle } from '../../dev/worker/bundle.ts'
import type { PeerFacts } from '../stubs/start.ts'
import { bundlePeer } from './bundle.ts'
import { CHAIN_ID, DATABASE_URL, PAY_TO, REQUEST, USDC } from './coinslot.ts'
import { type Served, serveRaw } from './serve.ts'

export interface PeerSide extends Served {
  bundle: Bundle
}

export interface PeerOptions {
  name: 'unpaid' | 'paid'
  peers: PeerFacts
  dir: string
  /** How ours is bundled: the same compatibility holds for the peer. */
  ours: Bundle
  databaseUrl?: string
}

/** A peer of `bench/peers` in raw workerd, like ours. */
export async function servePeer({
  name,
  peers,
  dir,
  ours,
  databaseUrl = DATABASE_URL,
}: PeerOptions): Promise<PeerSide> {
  const entry = join(import.meta.dirname, `../peers/${name}.ts`)
  const [port, bundle] = await Promise.all([freePort(), bundlePeer(entry, join(dir, `peer-${name}`), ours)])
  const env = {
    NETWORK: `eip155:${CHAIN_ID}`,
    USDC,
    PAY_TO,
    FACILITATOR_URL: peers.facilitatorUrl,
    PROVIDER_URL: peers.providerUrl,
    STORE_URL: peers.storeUrl,
    DATABASE_URL: databaseUrl,
    DATABASE_HTTP_URL: peers.databaseHttpUrl,
  }
  const probe = async (origin: string): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${origin}/api/inference`, { method: 'POST', headers, body: JSON.stringify(REQUEST) })
    await response.arrayBuffer()
    if (response.status !== 402) throw new Error(`expected 402, got ${response.status}`)
  }
  return { ...(await serveRaw({ bundle, port, env, dir, probe })), bundle }
}
