import { serve } from '@hono/node-server'
import { createFacilitator, type FacilitatorOptions } from '../../facilitator/facilitator.ts'
import { consoleLog } from '../../facilitator/log.ts'
import { type RunningService, runService } from '../process/service.ts'

type Options = Pick<FacilitatorOptions, 'networks' | 'privateKeys' | 'maxBatch' | 'tokens'> & { port?: number }

/** The facilitator as it ships, but with its settlements in memory: a chain that is thrown away needs no more. */
await runService(async ({ port = 0, ...options }: Options): Promise<RunningService> => {
  const { app, tend } = createFacilitator({ pollingIntervalMs: 50, ...options, log: consoleLog })
  setInterval(() => void tend(), 5_000).unref()
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (address) => {
      const close = () => new Promise<void>((done) => server.close(() => done()))
      resolve({ url: `http://127.0.0.1:${address.port}`, close })
    })
    server.once('error', reject)
  })
})
