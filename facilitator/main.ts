import { serve } from '@hono/node-server'
import { privateKeyToAccount } from 'viem/accounts'
import { ConfigError } from '../worker/config/reader.ts'
import { type FacilitatorConfig, loadFacilitatorConfig } from './env.ts'
import { createFacilitator } from './facilitator.ts'
import { consoleLog as log, reasonOf } from './log.ts'
import { makePgStore } from './pg-store.ts'
import { lockSigner } from './signer-lock.ts'

const TEND_EVERY_MS = 15_000
/** The process before this one may still hold the lock while it stops. */
const LOCK_WAIT_MS = 10_000
/** Within the 30 s that the container's host waits before it kills. */
const STOP_WITHIN_MS = 28_000

/** Until the port is open no settlement is running. */
let onStop = (): void => process.exit(0)
// Process 1 of a container has no default for these: without a listener they would be ignored.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => onStop())

/** Starts the program: lock, tables, open entries, and only then the port. Ends on SIGTERM. */
async function main(config: FacilitatorConfig): Promise<void> {
  const { databaseUrl, privateKey, port } = config
  const { address } = privateKeyToAccount(privateKey)
  const lock = await lockSigner(databaseUrl, address, {
    waitMs: LOCK_WAIT_MS,
    onLost() {
      log('error', 'lock.lost', { address, detail: 'ending: another process may take over this key now' })
      process.exit(1)
    },
  })
  const store = makePgStore(databaseUrl)
  await store.prepare()
  const facilitator = createFacilitator({ ...config, store, log })
  await facilitator.tend()
  const clock = setInterval(() => void facilitator.tend(), TEND_EVERY_MS)
  const { fetch } = facilitator.app
  const server = serve({ fetch: (request, env) => fetch(request, env), port }, (listening) => {
    log('info', 'listening', { port: listening.port, address, networks: config.networks.map(({ network }) => network) })
  })

  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    log('info', 'stopping')
    clearInterval(clock)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await facilitator.idle(STOP_WITHIN_MS)
    // What remains are idle connections, and settlements that the next process continues from the table.
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
    await store.close()
    await lock.release()
    process.exit(0)
  }
  onStop = () => void stop()
}

// The next process continues from the table. Node's own report would contain whole messages, and with them signatures.
process.once('uncaughtException', (error) => {
  log('error', 'crashed', { reason: reasonOf(error) })
  process.exit(1)
})

try {
  await main(loadFacilitatorConfig(process.env))
} catch (error) {
  if (error instanceof ConfigError) log('error', 'misconfigured', { faults: error.faults })
  else log('error', 'start.failed', { reason: reasonOf(error) })
  process.exit(1)
}
