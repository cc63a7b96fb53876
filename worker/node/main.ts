import { fileURLToPath } from 'node:url'
import { ConfigError } from '../config/env.ts'
import { makeEnvReader } from '../config/reader.ts'
import * as check from '../config/schemas.ts'
import type { Deps } from '../domain/deps.ts'
import { describeError } from '../lib/log.ts'
import { makeDeps } from '../make-deps.ts'
import { reportingErrors } from '../upstreams/error-tracking/error-tracker.ts'
import { makeNodeLog, makeNodeServer, type NodeServer } from './server.ts'
import { loadSite } from './site.ts'
import { chooseDatabase, migrateWhenThere } from './start-database.ts'
import { makeTasks } from './tasks.ts'

const DEFAULT_PORT = 3000
/** Less than the usual 30 s before a host kills a process. When a lease expires, the next process finishes the work. */
const DEFAULT_SHUTDOWN_SECONDS = 25
const RECONCILE_EVERY_MS = 60_000
const DATABASE_PATIENCE_MS = 60_000

/** Reports to the error tracker that have not left yet. */
const reports = makeTasks()
let log = makeNodeLog({ trigger: 'server' })

/** The settings of a Node server, and its deps. Throws `ConfigError` with every fault of both. */
function configure(env: NodeJS.ProcessEnv): { port: number; shutdownMs: number; deps: Deps } {
  const read = makeEnvReader(env)
  const port = read.optional('PORT', check.integer(0, 65_535)) ?? DEFAULT_PORT
  const seconds = read.optional('SHUTDOWN_SECONDS', check.integer(0, 600)) ?? DEFAULT_SHUTDOWN_SECONDS
  try {
    const deps = makeDeps(env, chooseDatabase)
    if (read.faults.length > 0) throw new ConfigError([])
    return { port, shutdownMs: seconds * 1_000, deps }
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...read.faults, ...error.faults]) : error
  }
}

interface Running {
  server: NodeServer
  shutdownMs: number
}

/** Configuration, database, migrations, and only then the port. */
async function start(): Promise<Running> {
  const { port, shutdownMs, deps } = configure(process.env)
  if (deps.errorTracker) log = reportingErrors(log, deps.errorTracker, { trigger: 'server' }, reports.waitUntil)
  await migrateWhenThere(deps.config.databaseUrl, log, DATABASE_PATIENCE_MS)
  const site = await loadSite(fileURLToPath(new URL('./site', import.meta.url)))
  const server = makeNodeServer(deps, site)
  const listeningOn = await server.listen(port)
  log.info('listening', { port: listeningOn, environment: deps.config.environment, site: site !== null })
  void server.reconcile()
  setInterval(() => void server.reconcile(), RECONCILE_EVERY_MS).unref()
  server.driveWhenDue()
  return { server, shutdownMs }
}

/** Names what ended the server; none of these messages holds the value of a variable. */
async function fail(event: string, error: unknown): Promise<never> {
  if (error instanceof ConfigError) log.error('misconfigured', { faults: error.faults })
  else log.error(event, { cause: describeError(error) })
  await reports.idle()
  process.exit(1)
}

/** Before the port is open nothing is under way, and a migration that is cut off is undone as a whole. */
async function stop(running: Running | null): Promise<never> {
  log.info('stopping')
  const left = running === null ? { unfinished: 0 } : await running.server.stop(running.shutdownMs)
  log.info('stopped', left)
  process.exit(0)
}

let running: Running | null = null
start().then(
  (started) => {
    running = started
  },
  (error: unknown) => fail('start.failed', error),
)
// An uncaught error, in a promise too: the state of this process is not known any more, and the next one takes over.
process.once('uncaughtException', (error) => void fail('crashed', error))
// As process 1 of a container there is no default for these signals: without a listener they are ignored.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(running))
