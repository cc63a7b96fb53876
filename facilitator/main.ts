import { serve } from '@hono/node-server'
import { ConfigError } from '../worker/config/reader.ts'
import { type FacilitatorConfig, loadFacilitatorConfig } from './env.ts'
import { createFacilitator, type Facilitator } from './facilitator.ts'
import { consoleLog as log, reasonOf } from './log.ts'
import { type KeyLocks, openKeyLocks } from './store/key-locks.ts'
import { makePgStore } from './store/pg-store.ts'

const TEND_EVERY_MS = 15_000
/** A process that ended is replaced within a few of these. */
const SHARE_EVERY_MS = 2_000
/** Within the 30 s that the container's host waits before it kills. */
const STOP_WITHIN_MS = 28_000

/** Until the port is open no settlement is running. */
let onStop = (): void => process.exit(0)
// Process 1 of a container has no default for these: without a listener they would be ignored.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => onStop())

/** Starts the program: tables, batch contracts, a key, open entries, and only then the port. Ends on SIGTERM. */
async function main(config: FacilitatorConfig): Promise<void> {
  const { databaseUrl, port } = config
  const store = makePgStore(databaseUrl)
  await store.prepare()
  const facilitator = createFacilitator({ ...config, sharesKeys: true, store, log })
  await facilitator.checkContracts()
  const locks = await shareKeys(databaseUrl, facilitator)
  const stopSharing = repeat(SHARE_EVERY_MS, () => locks.share())
  const stopTending = repeat(TEND_EVERY_MS, () => facilitator.tend())
  const { fetch } = facilitator.app
  const server = serve({ fetch: (request, env) => fetch(request, env), port }, (listening) => {
    const networks = config.networks.map(({ network }) => network)
    log('info', 'listening', { port: listening.port, addresses: facilitator.addresses, networks })
  })

  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    log('info', 'stopping')
    stopTending()
    stopSharing()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await facilitator.idle(STOP_WITHIN_MS)
    // The rest are idle connections, and settlements that the next process continues from the table.
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
    await locks.release()
    await store.close()
    process.exit(0)
  }
  onStop = () => void stop()
}

/** Resolves when this process holds a key. Until then it stands by: it takes over when another process ends. */
async function shareKeys(databaseUrl: string, facilitator: Facilitator): Promise<KeyLocks> {
  const { addresses } = facilitator
  const locks = await openKeyLocks({
    databaseUrl,
    addresses,
    async onTaken(address) {
      log('info', 'key.taken', { address })
      await facilitator.hold(address)
    },
    async onGiven(address) {
      await facilitator.drop(address)
      log('info', 'key.given', { address })
    },
    onLost() {
      log('error', 'lock.lost', { detail: 'ending: another process may take over these keys now' })
      process.exit(1)
    },
  })
  for (let rounds = 0; (await locks.share()) === 0; rounds += 1) {
    if (rounds === 0) log('info', 'standing_by', { detail: 'other processes hold every key', addresses })
    await new Promise((resolve) => setTimeout(resolve, SHARE_EVERY_MS))
  }
  return locks
}

/** Runs `work` now and again and again, each time after a pause. Returns what ends it. */
function repeat(everyMs: number, work: () => Promise<unknown>): () => void {
  let timer: NodeJS.Timeout | undefined
  async function run(): Promise<void> {
    await work().catch((error: unknown) => log('error', 'work.failed', { reason: reasonOf(error) }))
    timer = setTimeout(run, everyMs)
  }
  void run()
  return () => clearTimeout(timer)
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
