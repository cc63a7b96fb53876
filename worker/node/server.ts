import { IncomingMessage } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { getPath } from 'hono/utils/url'
import { PATH as MCP_PATH, makeMcpServer } from '../../client/mcp/http/server.ts'
import { readNextDue } from '../../db/queries/payment-leases.ts'
import { createApp } from '../app.ts'
import type { Deps } from '../domain/deps.ts'
import { checkModels } from '../domain/models/availability.ts'
import { keepMonths } from '../domain/purchase/jobs/keep-months.ts'
import { reconcile } from '../domain/purchase/jobs/reconcile.ts'
import { forRequest } from '../http/middleware/request-deps.ts'
import { type ClientAddress, forwardedAddress, rateLimitKey } from '../lib/client-address.ts'
import { describeError, type Log, makeConsoleLog } from '../lib/log.ts'
import { installDigestStream } from './digest-stream.ts'
import { driveWhenDue } from './drive-when-due.ts'
import type { Site } from './site.ts'
import { makeTasks, type Tasks } from './tasks.ts'

export interface NodeServer {
  /** Opens the port; resolves with its number. */
  listen(port: number, host?: string): Promise<number>
  /** The scheduled job, once. Never throws, and never runs twice at once. */
  reconcile(): Promise<void>
  /** Until it stops, runs the job also whenever a payment is due. */
  driveWhenDue(): void
  /** Takes no more calls, waits up to `ms` for work in progress, and returns how much is left to others. */
  stop(ms: number): Promise<{ unfinished: number }>
}

/**
 * Cuts off slow senders. Keeps idle connections longer than a load balancer does, so it never sends into a closed one. A contract wallet's
 * payment has up to 32 KiB and its proof 16 KiB, which together exceed Node's limit for headers. 8 KiB are for all others.
 */
const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  maxHeaderSize: (32 + 16 + 8) * 1024,
}

/** Purchases that the job drives at once: they mostly wait for others. */
const AT_ONCE = 20

const isApi = (pathname: string): boolean => /^\/(api$|api\/|v1\/|\.well-known\/|openapi\.json$)/.test(pathname)

function socketAddress(env: object): string | undefined {
  return 'incoming' in env && env.incoming instanceof IncomingMessage ? env.incoming.socket.remoteAddress : undefined
}

/**
 * The adapter's own object cannot be passed to `new Request`, as Hono's body limit does with a body of unknown size: then a real
 * `Request` with the same content. Without `Transfer-Encoding` such a call has no body.
 */
function copyIfSizeUnknown(request: Request): Request {
  const { url, method, headers, signal } = request
  if (['GET', 'HEAD', 'TRACE'].includes(method) || headers.has('Content-Length')) return request
  const body = headers.has('Transfer-Encoding') ? request.body : null
  return new Request(url, { method, headers, signal, ...(body !== null && { body, duplex: 'half' }) })
}

/** True if an address may send another message to the MCP server: as many a minute as it may send payments. */
const messageLimit =
  ({ config, rateLimiter }: Deps, address: string) =>
  async (): Promise<boolean> =>
    !config.rateLimits || (await rateLimiter.take('claims', `mcp ${rateLimitKey(address)}`)).allowed

/** The same app as on Workers behind a Node socket, with the site beside it. */
export function makeNodeServer(deps: Deps, site: Site | null): NodeServer {
  installDigestStream()
  const tasks = makeTasks()
  const { trustedProxy } = deps.config
  const clientAddress: ClientAddress = (request, env) =>
    forwardedAddress(socketAddress(env), request.headers.get('X-Forwarded-For'), trustedProxy)
  const app = createApp(() => deps, { clientAddress, makeLog: makeNodeLog })
  const context = { waitUntil: tasks.waitUntil, passThroughOnException: () => undefined, props: {} }
  const log = makeNodeLog({ trigger: 'mcp' })
  const mcp = makeMcpServer({
    onError: (error) => log.error('mcp.fault', { cause: describeError(error) }),
  })
  const fetch = (request: Request, env: object): Response | Promise<Response> => {
    // As the app's router reads it, so that no spelling of a path is one thing here and another there.
    const pathname = getPath(request)
    const api = { fetch: async (call: Request) => app.fetch(copyIfSizeUnknown(call), env, context) }
    if (pathname === MCP_PATH && deps.config.mcpRoutes)
      return mcp(request, api, messageLimit(deps, clientAddress(request, env)))
    // Everything below that path is for the MCP server alone.
    if (pathname.startsWith(`${MCP_PATH}/`)) return new Response('Not found', { status: 404 })
    return site === null || isApi(pathname) ? api.fetch(request) : site(request)
  }
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false, serverOptions: SERVER_OPTIONS })

  const stopped = new AbortController()
  const job = makeJob(deps, tasks, stopped.signal)

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          const address = server.address()
          resolve(address !== null && typeof address === 'object' ? address.port : port)
        })
      }),
    reconcile() {
      return job.run(true)
    },
    driveWhenDue() {
      const log = makeNodeLog({ trigger: 'due' })
      const drive = (): Promise<void> => job.run(false)
      void driveWhenDue({ readNextDue: () => readNextDue(deps.database), drive, now: deps.now, log }, stopped.signal)
    },
    async stop(ms) {
      stopped.abort()
      const { promise: timeout, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      await Promise.race([Promise.all([closed(server), job.running()]).then(tasks.idle), timeout])
      clearTimeout(timer)
      if ('closeAllConnections' in server) server.closeAllConnections()
      return { unfinished: tasks.count() }
    },
  }
}

/** Resolves when the last connection has ended. Idle ones are ended as they become idle: their owners might keep them for long. */
function closed(server: ReturnType<typeof createAdaptorServer>): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => 'closeIdleConnections' in server && server.closeIdleConnections(), 50)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
  })
}

/** The job of this process, one run at a time. A scheduled run also tries early, and checks the models and the months. */
function makeJob(deps: Deps, tasks: Tasks, stopped: AbortSignal) {
  let running: Promise<void> | null = null
  const start = async (isScheduled: boolean): Promise<void> => {
    const run = forRequest(deps, makeNodeLog({ trigger: 'scheduled' }), tasks.waitUntil)
    try {
      while ((await reconcile(run, { atOnce: AT_ONCE, tryEarly: isScheduled })).more && !stopped.aborted);
    } catch (error) {
      run.log.error('reconcile.failed', { cause: describeError(error) })
    }
    if (isScheduled) {
      await checkModels(run)
      await keepMonths(run)
    }
    running = null
  }
  return {
    run(isScheduled: boolean): Promise<void> {
      running ??= start(isScheduled)
      return running
    },
    running: () => running,
  }
}

/** The log of a container: one JSON object per line, each with its `time`, which nothing else would add. */
export const makeNodeLog = (base: Record<string, unknown> = {}): Log => makeConsoleLog(base, () => new Date())
