import { integerFlag } from '../../client/cli/flags.ts'
import { DEV_BURN_BPS } from '../anvil/deploy-aic.ts'
import { type HeldPort, holdNextPort, holdPort } from '../process/ports.ts'
import { bundleProgram } from '../process/program-bundle.ts'
import { type Reaper, startReaper } from '../process/reaper.ts'
import { type Bundle, bundleMcp, bundleWorker } from '../worker/bundle.ts'
import { loadSecrets, type StackSecrets } from '../worker/secrets.ts'
import { serveWorker } from '../worker/serve.ts'
import { watchSources } from '../worker/watch.ts'
import { viaUrl, type WorkerServices, workerEnv } from '../worker/worker-env.ts'
import type { StackOptions } from './flags.ts'
import { makeFolders, type StackFolders } from './folders.ts'
import type { ServiceContext, ServiceName, StackEvent } from './service-process.ts'
import { allSettledOrThrow, type Services, startServices } from './services.ts'
import { ensureSites, type SiteFolders } from './site.ts'
import type { StackInfo } from './stack-info.ts'

export interface Stack {
  /** As in the ready line. `workerPid` follows the worker. */
  readonly info: StackInfo
  /** The worker's variables, secrets included. */
  readonly env: Readonly<Record<string, string>>
  /** Kills the worker with SIGKILL and resolves when it serves again. */
  killWorker(): Promise<void>
  /** Kills a service with SIGKILL; it starts again on its port. Throws if this stack does not run that service. */
  killService(service: ServiceName): void
  /** Runs the scheduled job once. */
  tick(): Promise<void>
  /** Ends all processes. */
  stop(): Promise<void>
}

/** The port of `--port` is in use. */
export class PortTakenError extends Error {
  constructor(port: number) {
    super(
      `port ${port} is in use: end the process that listens there, or choose another --port, or omit it to take the next free one`,
    )
    this.name = 'PortTakenError'
  }
}

/** Starts all services and the worker on 127.0.0.1 and resolves when they serve. A failed start leaves nothing running. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const held = await choosePort(options)
  const folders = await makeFolders(options.state, `http://127.0.0.1:${held.port}`).catch(async (error: unknown) => {
    await held.release()
    throw error
  })
  const reaper = startReaper()
  const processes: Services['processes'] = {}
  const endServices = async (): Promise<void> => {
    await Promise.all(Object.values(processes).map((service) => service.stop()))
    reaper.release()
    await held.release()
    await folders.clean()
  }
  try {
    return await startAll({ options, held, folders, reaper, processes, endServices })
  } catch (error) {
    await endServices()
    throw error
  }
}

/** Held from the choice on: a stack that starts meanwhile takes the next one. */
async function choosePort({ port, firstPort = 8787 }: StackOptions): Promise<HeldPort> {
  if (port === undefined) return holdNextPort(firstPort)
  const held = await holdPort(port)
  if (held === null) throw new PortTakenError(port)
  return held
}

interface Start {
  options: StackOptions
  held: HeldPort
  folders: StackFolders
  reaper: Reaper
  processes: Services['processes']
  endServices(): Promise<void>
}

async function startAll({ options, held, folders, reaper, processes, endServices }: Start): Promise<Stack> {
  const emit = options.onEvent ?? (() => undefined)
  const everySeconds = integerFlag('RECONCILE_SECONDS', options.shell?.['RECONCILE_SECONDS'] || '10', { max: 86_400 })
  const secrets = await loadSecrets(folders.data)
  const context: ServiceContext = {
    program: await bundleProgram('services'),
    logs: folders.logs,
    reaper,
    emit,
    // The facilitator counts nonces, and a chain that started again may have lost a few blocks.
    onBack: (service) => service === 'chain' && processes.facilitator?.kill(),
  }
  const [services, built] = await allSettledOrThrow([
    startServices({ options, folders, secrets, context, processes }),
    options.watch ? null : build(options, emit),
  ])
  const { port } = held
  const info = infoOf(`http://127.0.0.1:${port}`, services, secrets, options, folders)
  const env = workerEnv(workerServices(info, services, secrets, options), options.shell ?? {})
  const { launchPlan } = services.chain
  await held.release()
  const worker = await serveStackWorker({ info, launchPlan, env, built, port, folders, reaper, options, emit })
  const timer = fireRegularly(worker.tick, everySeconds)
  return {
    info,
    env,
    killWorker: worker.killAndWait,
    killService: (service) => {
      const process_ = processes[service]
      if (!process_) throw new Error(`this stack does not run the service ${service}`)
      process_.kill()
    },
    tick: worker.tick,
    stop: async () => {
      clearInterval(timer)
      // The worker first, since it calls the others.
      await worker.stop()
      await endServices()
    },
  }
}

/** The files that `npm start` serves: the bundles of the workers and the folders of the sites. */
interface Built {
  bundle: Bundle
  mcp: Bundle
  /** Null: no site is served. */
  sites: SiteFolders | null
}

async function build(options: StackOptions, emit: (event: StackEvent) => void): Promise<Built> {
  const timed = async <T>(service: string, work: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    emit({ kind: 'starting', service })
    const result = await work()
    emit({ kind: 'ready', service, url: null, ms: performance.now() - began })
    return result
  }
  // Where nothing listens, a site that does not build is an error.
  const warn = options.onEvent && ((text: string) => emit({ kind: 'warning', text }))
  const [[bundle, mcp], sites] = await allSettledOrThrow([
    timed('bundle', () => Promise.all([bundleWorker(), bundleMcp()])),
    options.site === false ? null : timed('sites', () => ensureSites(warn)),
  ])
  return { bundle, mcp, sites }
}

interface WorkerStart extends Pick<Start, 'options' | 'folders' | 'reaper'> {
  port: number
  info: StackInfo
  launchPlan: string | null
  env: Record<string, string>
  /** Null: serve the sources. */
  built: Built | null
  emit(event: StackEvent): void
}

/** Serves the worker and the site, and keeps `info.workerPid` current when the worker starts again. */
async function serveStackWorker(start: WorkerStart) {
  const { info, launchPlan, env, port, built, folders, reaper, options, emit } = start
  const backAgain: (() => void)[] = []
  const began = performance.now()
  emit({ kind: 'starting', service: 'worker' })
  const common = {
    env,
    port,
    reaper,
    rpcUrl: info.rpcUrl,
    devInfo: devInfoOf(info, launchPlan),
    dataDir: folders.data,
    logFile: `${folders.logs}/worker.log`,
    onDeath: (how: string) => emit({ kind: 'died', service: 'worker', how }),
    onRestart: (pid: number) => {
      info.workerPid = pid
      options.onWorkerPid?.(info)
      emit({ kind: 'back', service: 'worker' })
      for (const resolve of backAgain.splice(0)) resolve()
    },
  }
  const worker = built
    ? await serveWorker({ ...common, ...built })
    : await watchSources({ ...common, onLine: (text) => emit({ kind: 'line', text }) })
  info.workerPid = worker.pid
  emit({ kind: 'ready', service: 'worker', url: info.origin, ms: performance.now() - began })
  const killAndWait = (): Promise<void> =>
    new Promise((resolve) => {
      backAgain.push(resolve)
      worker.kill()
    })
  return { tick: worker.tick, stop: worker.stop, killAndWait }
}

/** Runs the scheduled job at each interval unless it still runs. The worker logs a failure. */
function fireRegularly(tick: () => Promise<void>, seconds: number): NodeJS.Timeout {
  let isRunning = false
  return setInterval(() => {
    if (isRunning) return
    isRunning = true
    tick()
      .catch(() => undefined)
      .finally(() => {
        isRunning = false
      })
  }, seconds * 1_000)
}

function infoOf(
  origin: string,
  services: Services,
  secrets: StackSecrets,
  options: StackOptions,
  folders: StackFolders,
): StackInfo {
  const { chain } = services
  return {
    ready: true,
    origin,
    rpcUrl: chain.url,
    chainId: chain.chainId,
    network: `eip155:${chain.chainId}`,
    usdc: chain.usdc,
    aic: chain.aic,
    contracts: chain.contracts,
    payTo: services.payTo,
    facilitatorUrl: services.facilitatorUrl,
    databaseUrl: services.databaseUrl,
    databaseHttpUrl: services.databaseHttpUrl,
    objectStoreUrl: services.objectStoreUrl,
    publicUrl: services.publicUrl,
    modelProviderUrl: services.modelProviderUrl,
    webhookSecret: options.shell?.['MODEL_PROVIDER_WEBHOOK_SECRET'] ?? secrets.webhookSecret,
    buyers: chain.buyers,
    workerPid: 0,
    logDir: folders.logs,
  }
}

function workerServices(
  info: StackInfo,
  services: Services,
  secrets: StackSecrets,
  options: StackOptions,
): WorkerServices {
  const via = options.via ?? {}
  return {
    ...info,
    secrets,
    bucket: services.bucket,
    burnBps: DEV_BURN_BPS,
    limits: options.limits ?? true,
    paymentSignIn: options.paymentSignIn ?? false,
    rpcUrl: viaUrl(info.rpcUrl, via.rpc),
    facilitatorUrl: info.facilitatorUrl === null ? '' : viaUrl(info.facilitatorUrl, via.facilitator),
    databaseHttpUrl: viaUrl(info.databaseHttpUrl, via.database),
    objectStoreUrl: viaUrl(info.objectStoreUrl, via.store),
    modelProviderUrl: viaUrl(info.modelProviderUrl, via.provider),
  }
}

/** The facts that the sites' demo wallet and the dashboard need. Anyone who reaches the dev chain can learn them. */
function devInfoOf(
  { chainId, network, usdc, aic, contracts, payTo, buyers }: StackInfo,
  launchPlan: string | null,
): unknown {
  return { chainId, network, rpcPath: '/dev/rpc', usdc, aic, contracts, payTo, buyers, launchPlan }
}
