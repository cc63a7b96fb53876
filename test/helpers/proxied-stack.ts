import type { StackOptions } from '../../dev/stack/flags.ts'
import { VIA_SERVICES, type ViaService } from '../../dev/stack/flags.ts'
import { faults, type PartProxy, startProxy } from './proxy.ts'
import { S3_CREDENTIALS, s3Client } from './s3.ts'
import { makeLender, startTestStack } from './stack.ts'

const BUCKET = 'coinslot'
const NO_BATCHES = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'This node takes no batches.' } }

/**
 * The real stack with a proxy before each part the worker calls, and nothing that continues a purchase by itself: the scheduled
 * job runs only when a test fires it.
 */
export async function startProxiedStack(options: StackOptions = {}) {
  const targets: Partial<Record<ViaService, string>> = {}
  const proxyFor = (part: ViaService): Promise<PartProxy> =>
    startProxy({ target: () => targets[part] ?? 'http://127.0.0.1:1', files: part === 'provider' })
  const [rpc, facilitator, database, store, provider] = await Promise.all([
    proxyFor('rpc'),
    proxyFor('facilitator'),
    proxyFor('database'),
    proxyFor('store'),
    proxyFor('provider'),
  ])
  const via: Record<ViaService, PartProxy> = { rpc, facilitator, database, store, provider }
  refuseBatches(rpc)
  const stack = await startTestStack({
    ...options,
    shell: {
      RECONCILE_SECONDS: '3600',
      // Each payment has its own transaction, so that a hash belongs to one purchase (arrows.ts).
      FACILITATOR_MAX_BATCH: '1',
      OBJECT_STORE_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      OBJECT_STORE_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
      OBJECT_STORE_BUCKET_NAME: BUCKET,
      ...options.shell,
    },
    via: Object.fromEntries(VIA_SERVICES.map((part) => [part, via[part].url])),
  })
  const { info } = stack
  Object.assign(targets, {
    rpc: info.rpcUrl,
    facilitator: info.facilitatorUrl ?? undefined,
    database: info.databaseHttpUrl,
    store: info.objectStoreUrl,
    provider: info.modelProviderUrl,
  })

  /** Keys of the store's bucket that begin with `prefix`. */
  async function objects(prefix: string): Promise<string[]> {
    const query = new URLSearchParams({ 'list-type': '2', prefix })
    const answer = await s3Client().fetch(`${info.objectStoreUrl}/${BUCKET}?${query}`)
    if (!answer.ok) throw new Error(`the store does not list: ${answer.status}`)
    return [...(await answer.text()).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key)
  }

  async function stop(): Promise<void> {
    await stack.stop()
    await Promise.all(VIA_SERVICES.map((part) => via[part].close()))
  }

  return { ...stack, info, via, objects, stop }
}

/** Each purchase reads its own receipt, so that a call that is held or spoilt belongs to one purchase (arrows.ts). */
function refuseBatches(rpc: PartProxy): void {
  rpc.spoil(({ body }) => body.startsWith('['), faults.json(NO_BATCHES, { status: 400 }), Number.POSITIVE_INFINITY)
}

/** A shared one with the default settings. Its proxies have seen nothing yet. */
export const borrowProxiedStack = makeLender(
  (buyers) => startProxiedStack({ buyers }),
  ({ via }) => {
    for (const part of VIA_SERVICES) via[part].reset()
    refuseBatches(via.rpc)
  },
)

export type ProxiedStack = Awaited<ReturnType<typeof startProxiedStack>>
