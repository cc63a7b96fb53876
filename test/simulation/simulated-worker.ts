import { createHmac } from 'node:crypto'
import type { Database } from '../../db/client.ts'
import { createApp } from '../../worker/app.ts'
import type { RequestDeps } from '../../worker/domain/deps.ts'
import { answerWakeUps, runScheduledJob } from '../../worker/domain/purchase/jobs/wake-ups.ts'
import type { Log } from '../../worker/lib/log.ts'
import { makeUpstreamHealth } from '../../worker/upstreams/upstream-health.ts'
import { makeTestConfig } from '../helpers/config.ts'
import { makeFakeRateLimiter } from '../helpers/fakes/ports.ts'
import type { Engine } from './engine.ts'
import type { Ledger } from './ledger.ts'
import type { LiveChecks } from './live-checks.ts'
import type { Mutant } from './mutants.ts'
import { makeProviderPort, type Runs } from './simulated-provider.ts'
import {
  type DatabaseWatch,
  makeChainPort,
  makeDatabasePort,
  makeFacilitatorPort,
  makeStorePort,
  type Objects,
} from './simulated-services.ts'

export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret for webhooks').toString('base64')}`

/** The services that a worker process reaches, and a mutant's changes of them. */
export interface Surroundings extends DatabaseWatch {
  engine: Engine
  ledger: Ledger
  runs: Runs
  objects: Objects
  database: Database
  minConfirmations: number
  newId(): string
  /** Messages that were sent and not delivered yet. */
  wakeUps: unknown[]
  checks: LiveChecks
  mutant: Mutant
}

export interface WorkerProcess {
  owner: number
  fetch(request: Request): Promise<Response>
  reconcile(): Promise<void>
  /** Delivers a message of the queue. */
  wake(body: unknown): Promise<void>
}

/** One process: the real app and the real domain code, with its own caches. */
export function startWorker(around: Surroundings, owner: number): WorkerProcess {
  const { engine, ledger } = around
  const log: Log = {
    info: (event, fields) => engine.note(`worker ${owner} ${event} ${JSON.stringify(fields ?? {})}`),
    warn: (event, fields) => engine.note(`worker ${owner} ${event} ${JSON.stringify(fields ?? {})}`),
    error: (event, fields) => engine.note(`worker ${owner} ${event} ${JSON.stringify(fields ?? {})}`),
  }
  const quiet = (promise: Promise<unknown>): void => void promise.catch(() => undefined)
  const deps: RequestDeps = around.mutant.deps({
    config: makeTestConfig({
      minConfirmations: around.minConfirmations,
      provider: { ...makeTestConfig().provider, webhookSecret: WEBHOOK_SECRET },
    }),
    database: makeDatabasePort(engine, around.database, owner, around),
    facilitator: makeFacilitatorPort(engine, ledger, owner, {
      waitsForBlocks: around.minConfirmations === 0,
      onSettle: around.checks.settleArrives,
    }),
    chain: makeChainPort(engine, ledger, owner),
    provider: makeProviderPort(engine, around.runs, owner, around.checks.runRead),
    store: makeStorePort(engine, around.objects, owner),
    rateLimiter: makeFakeRateLimiter(),
    upstreams: makeUpstreamHealth(),
    now: engine.now,
    newId: around.newId,
    sleep: (ms) => engine.wait(ms, owner),
    log,
    waitUntil: quiet,
    waker: { wake: async (wakeUp) => void around.wakeUps.push(wakeUp) },
  })
  const app = createApp(() => deps, { makeLog: () => log })
  const context = { waitUntil: quiet, passThroughOnException: () => undefined, props: {} }
  return {
    owner,
    fetch: async (request) => around.mutant.response(await app.fetch(request, {}, context)),
    reconcile: () => runScheduledJob(deps),
    wake: (body) => answerWakeUps(deps, [{ body, ack: () => undefined, retry: () => around.wakeUps.push(body) }]),
  }
}

/** The provider's webhook about a run, signed as the provider signs. */
export function webhookRequest(url: string, runId: string, now: Date): Request {
  const body = JSON.stringify({ id: runId, status: 'succeeded' })
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`message.${timestamp}.${body}`).digest('base64')
  return new Request(url, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'message',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'content-type': 'application/json',
    },
  })
}
