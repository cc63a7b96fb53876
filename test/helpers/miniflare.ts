import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { freePort } from '../../dev/process/ports.ts'
import type { Stack } from '../../dev/stack/stack.ts'
import { bundleWorker } from '../../dev/worker/bundle.ts'

/**
 * A second worker beside the stack's own, in Miniflare: the deployed bundle with the queue and the rate limits of `wrangler.toml`.
 * It uses the stack's services. Without a webhook secret the provider cannot report to it, and Miniflare fires no cron trigger.
 * `env` replaces variables.
 */
export async function startInMiniflare(stack: Stack, env: Record<string, string> = {}) {
  const [port, bundle] = await Promise.all([freePort(), bundleWorker()])
  const origin = `http://127.0.0.1:${port}`
  const { MODEL_PROVIDER_WEBHOOK_SECRET: _, ...variables } = stack.env
  const text = async (name: string): Promise<string> => readFile(join(bundle.dir, name), 'utf8')
  const others = bundle.modules.filter((name) => name !== 'index.js')
  if (others.length > 0) throw new Error(`this helper loads one module, and the bundle has ${others.join(', ')} too`)
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(import.meta.dirname, '../../wrangler.toml'))
  const lines: string[] = []
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...workerOptions,
      name: 'coinslot',
      host: '127.0.0.1',
      port,
      // It would ask Cloudflare where this machine is.
      cf: false,
      handleStructuredLogs: ({ message }) => void lines.push(message),
      modules: [{ type: 'ESModule', path: 'index.js', contents: await text('index.js') }],
      bindings: { ...variables, PUBLIC_ORIGIN: origin, ...env },
    }),
  )
  await miniflare.ready
  return {
    origin,
    /** What the worker has logged. */
    lines,
    /** Sends a message to the queue, as the worker does. */
    send: async (body: unknown): Promise<void> => {
      const queue = await miniflare.getQueueProducer('WAKE_UPS')
      await queue.send(body, { contentType: 'json' })
    },
    stop: () => miniflare.dispose(),
  }
}

export type MiniflareWorker = Awaited<ReturnType<typeof startInMiniflare>>
