import { DEV_BURN_BPS } from '../anvil/deploy-aic.ts'
import { type Bundle, bundleWorker } from '../worker/bundle.ts'
import { serveWorker } from '../worker/serve.ts'
import { makeFolders, type StackFolders } from './folders.ts'
import type { StackOptions } from './options.ts'
import type { PartContext, StackEvent } from './parts.ts'
import { isPortFree, nextFreePort } from './ports.ts'
import { type Reaper, startReaper } from './reaper.ts'
import { loadSecrets, type StackSecrets } from './secrets.ts'
import { type PartName, type Peers, startPeers } from './services.ts'
import { ensureSite } from './site.ts'
import type { ReadyFacts } from './stack-info.ts'
import { together } from './together.ts'
import { viaUrl, type WorkerPeers, workerEnv } from './worker-env.ts'

export interface Stack {
  /** As in the ready line, `workerPid` always the present one. */
  readonly facts: ReadyFacts
  /** The worker's variables, secrets included. */
  readonly env: Readonly<Record<string, string>>
  /** Kills workerd with SIGKILL; resolves once it serves again. */
  killWorker(): Promise<void>
  /** Kills a part with SIGKILL; it comes back on its port. Throws when that part is not ours. */
  killPart(part: PartName): void
  /** Fires the scheduled job now; resolves when it ended. */
  tick(): Promise<void>
  /** Ends everything. */
  stop(): Promise<void>
}

/** A port that was asked for and is taken. */
export class PortTakenError extends Error {
  constructor(port: number) {
    super(`port ${port} is taken: end what listens there, give another --port, or none for the next free one`)
    this.name = 'PortTakenError'
  }
}

/** Starts every part and the worker on 127.0.0.1. Resolves when all serve; on failure nothing is left running. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const port = await choosePort(options)
  const folders = await makeFolders(options.state, `http://127.0.0.1:${port}`)
  const reaper = startReaper()
  const processes: Peers['processes'] = {}
  const endParts = async (): Promise<void> => {
    await Promise.all(Object.values(processes).map((part) => part.stop()))
    reaper.release()
    await folders.clean()
  }
  try {
    return await startAll({ options, port, folders, reaper, processes, endParts })
  } catch (error) {
    await endParts()
    throw error
  }
}

async function choosePort({ port, firstPort = 8787 }: StackOptions): Promise<number> {
  if (port === undefined) return nextFreePort(firstPort)
  if (!(await isPortFree(port))) throw new PortTakenError(port)
  return port
}

interface Start {
  options: StackOptions
  port: number
  folders: StackFolders
  reaper: Reaper
  processes: Peers['processes']
  endParts(): Promise<void>
}

async function startAll({ options, port, folders, reaper, processes, endParts }: Start): Promise<Stack> {
  const emit = options.onEvent ?? (() => undefined)
  const secrets = await loadSecrets(folders.data)
  const context: PartContext = {
    logs: folders.logs,
    reaper,
    emit,
    // The facilitator counts nonces, and a chain that came back may be a few blocks younger.
    onBack: (part) => part === 'chain' && processes.facilitator?.kill(),
  }
  const [peers, bundle, siteDir] = await together([
    startPeers({ options, folders, secrets, context, processes }),
    bundleWorker(),
    options.site === false ? Promise.resolve(null) : ensureSite((text) => emit({ kind: 'warning', text })),
  ])
  const facts = factsOf(`http://127.0.0.1:${port}`, peers, secrets, options, folders)
  const env = workerEnv(workerPeers(facts, peers, secrets, options), options.shell ?? {})
  const worker = await serveStackWorker({ facts, env, bundle, siteDir, port, folders, reaper, options, emit })
  const clock = fireRegularly(worker.tick, Number(options.shell?.['RECONCILE_SECONDS'] ?? 10))
  return {
    facts,
    env,
    killWorker: worker.killAndWait,
    killPart: (part) => {
      const process_ = processes[part]
      if (!process_) throw new Error(`the part ${part} is not ours`)
      process_.kill()
    },
    tick: worker.tick,
    stop: async () => {
      clearInterval(clock)
      // The worker first: it is the one that calls the others.
      await worker.stop()
      await endParts()
    },
  }
}

interface WorkerStart extends Pick<Start, 'options' | 'port' | 'folders' | 'reaper'> {
  facts: ReadyFacts
  env: Record<string, string>
  bundle: Bundle
  siteDir: string | null
  emit(event: StackEvent): void
}

/** Serves the worker and keeps `facts.workerPid` true, also after it died. */
async function serveStackWorker(start: WorkerStart) {
  const { facts, folders, options, emit } = start
  const backAgain: (() => void)[] = []
  const began = performance.now()
  const worker = await serveWorker({
    ...start,
    rpcUrl: facts.rpcUrl,
    devFacts: devFactsOf(facts),
    dataDir: folders.data,
    logFile: `${folders.logs}/worker.log`,
    onDeath: (how) => emit({ kind: 'died', part: 'worker', how }),
    onRestart: (pid) => {
      facts.workerPid = pid
      options.onWorkerPid?.(facts)
      emit({ kind: 'back', part: 'worker' })
      for (const resolve of backAgain.splice(0)) resolve()
    },
  })
  facts.workerPid = worker.pid
  emit({ kind: 'ready', part: 'worker', url: facts.origin, ms: performance.now() - began })
  const killAndWait = (): Promise<void> =>
    new Promise((resolve) => {
      backAgain.push(resolve)
      worker.kill()
    })
  return { tick: worker.tick, stop: worker.stop, killAndWait }
}

/** Fires the scheduled job again and again, never twice at once. A failure is in the worker's log. */
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

function factsOf(
  origin: string,
  peers: Peers,
  secrets: StackSecrets,
  options: StackOptions,
  folders: StackFolders,
): ReadyFacts {
  const { chain } = peers
  return {
    ready: true,
    origin,
    rpcUrl: chain.url,
    chainId: chain.chainId,
    network: `eip155:${chain.chainId}`,
    usdc: chain.usdc,
    aic: chain.aic,
    contracts: chain.contracts,
    payTo: peers.payTo,
    facilitatorUrl: peers.facilitatorUrl,
    databaseUrl: peers.databaseUrl,
    databaseHttpUrl: peers.databaseHttpUrl,
    objectStoreUrl: peers.objectStoreUrl,
    publicUrl: peers.publicUrl,
    modelProviderUrl: peers.modelProviderUrl,
    webhookSecret: options.shell?.['MODEL_PROVIDER_WEBHOOK_SECRET'] ?? secrets.webhookSecret,
    buyers: chain.buyers,
    workerPid: 0,
    logDir: folders.logs,
  }
}

function workerPeers(facts: ReadyFacts, peers: Peers, secrets: StackSecrets, options: StackOptions): WorkerPeers {
  const via = options.via ?? {}
  return {
    ...facts,
    secrets,
    bucket: peers.bucket,
    burnBps: DEV_BURN_BPS,
    limits: options.limits ?? true,
    rpcUrl: viaUrl(facts.rpcUrl, via.rpc),
    facilitatorUrl: facts.facilitatorUrl === null ? '' : viaUrl(facts.facilitatorUrl, via.facilitator),
    databaseHttpUrl: viaUrl(facts.databaseHttpUrl, via.database),
    objectStoreUrl: viaUrl(facts.objectStoreUrl, via.store),
    modelProviderUrl: viaUrl(facts.modelProviderUrl, via.provider),
  }
}

/** What the site's built-in demo wallet needs; the same for anybody who can reach the dev chain anyway. */
function devFactsOf({ chainId, network, usdc, aic, contracts, payTo, buyers }: ReadyFacts): unknown {
  return { chainId, network, rpcPath: '/dev/rpc', usdc, aic, contracts, payTo, buyers }
}
