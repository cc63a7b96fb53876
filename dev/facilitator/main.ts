import { serve } from '@hono/node-server'
import { type RunningPart, servePart } from '../part.ts'
import { createFacilitator, type FacilitatorOptions } from './app.ts'

type Options = Omit<FacilitatorOptions, 'log' | 'maxGas' | 'maxFeePerGas'> & { port?: number }

await servePart(async ({ port = 0, ...options }: Options): Promise<RunningPart> => {
  const log = (entry: Record<string, unknown>) =>
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
  const { fetch } = createFacilitator({ pollingIntervalMs: 50, ...options, log })
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: '127.0.0.1' }, (address) => {
      const close = () => new Promise<void>((done) => server.close(() => done()))
      resolve({ url: `http://127.0.0.1:${address.port}`, close })
    })
    server.once('error', reject)
  })
})
