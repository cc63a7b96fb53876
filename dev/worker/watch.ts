import { freePort } from '../process/ports.ts'
import type { ServedWorker } from './serve.ts'
import { startViteSite, type ViteSiteOptions } from './vite-site.ts'
import { startWranglerDev, type WranglerOptions } from './wrangler-dev.ts'

export type WatchOptions = Omit<WranglerOptions, 'onLine'> & Omit<ViteSiteOptions, 'workerPort' | 'mcpRoutes'>

/** Serves the sources themselves: the worker under `wrangler dev`, the site under Vite, both behind the public port. */
export async function watchSources(options: WatchOptions): Promise<ServedWorker> {
  const workerPort = await freePort()
  const worker = await startWranglerDev({ ...options, port: workerPort })
  try {
    const mcpRoutes = options.env['MCP_ROUTES'] !== 'false'
    const site = await startViteSite({ ...options, workerPort, mcpRoutes })
    options.onLine(
      `worker breakpoints: 127.0.0.1:${worker.inspectorPort} (chrome://inspect, or attach an editor there)`,
    )
    return {
      get pid() {
        return worker.pid
      },
      kill: () => worker.kill(),
      tick: () => worker.tick(),
      stop: async () => {
        await site.close()
        await worker.stop()
      },
    }
  } catch (error) {
    await worker.stop()
    throw error
  }
}
