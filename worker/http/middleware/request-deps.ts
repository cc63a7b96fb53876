import type { Context } from 'hono'
import { ConfigError } from '../../config/env.ts'
import type { Deps, RequestDeps } from '../../domain/deps.ts'
import { AppError } from '../../errors.ts'
import type { ClientAddress } from '../../lib/client-address.ts'
import { describeError, type Log } from '../../lib/log.ts'
import { reportingErrors } from '../../upstreams/error-tracking/error-tracker.ts'
import type { AppEnv } from '../context.ts'
import { MeasuredDeps } from '../measure.ts'
import { makeTimings, type Timings } from '../timings.ts'

/** Returns the deps of this isolate, the same ones for the same bindings. Throws `ConfigError`. */
export type MakeDeps = (env: object) => Deps

/** The differences between the places the app runs in. */
export interface Platform {
  clientAddress: ClientAddress
  makeLog(base: Record<string, unknown>): Log
}

/** A request's id and timings, for the log; a scheduled run has no id. */
interface Watch {
  requestId?: string
  timings?: Timings
}

/**
 * Adds what belongs to one request (or one scheduled run) to the isolate's deps. Its errors go to the tracker as well, those of work
 * that continues beside or after the answer included: no answer reports them.
 */
export function forRequest(
  deps: Deps,
  log: Log,
  waitUntil: RequestDeps['waitUntil'],
  { requestId, timings = makeTimings(deps.now) }: Watch = {},
): RequestDeps {
  const context = requestId === undefined ? { trigger: 'scheduled' } : { requestId }
  const reporting = deps.errorTracker === undefined ? log : reportingErrors(log, deps.errorTracker, context, waitUntil)
  const heard = (promise: Promise<unknown>): void => {
    waitUntil(promise.catch((error: unknown) => reporting.error('background.failed', { cause: describeError(error) })))
  }
  return new MeasuredDeps(deps, timings, { log: reporting, waitUntil: heard })
}

/** Workers and our Node entry give an execution context; without one a promise just runs. */
function waitUntilOf(c: Context<AppEnv>): RequestDeps['waitUntil'] {
  try {
    const { executionCtx } = c
    return (promise) => executionCtx.waitUntil(promise)
  } catch {
    return (promise) => void promise.catch(() => undefined)
  }
}

/** Puts the request's deps on the context. Throws 503 `misconfigured`, without details. */
export function openRequest(makeDeps: MakeDeps, platform: Platform): (c: Context<AppEnv>) => void {
  const reported = new WeakSet<ConfigError>()
  return (c) => {
    const requestId = c.get('requestId')
    const log = platform.makeLog({ requestId })
    c.set('log', log)
    c.set('clientAddress', platform.clientAddress(c.req.raw, c.env))
    try {
      const isolate = makeDeps(c.env)
      const timings = makeTimings(isolate.now)
      const deps = forRequest(isolate, log, waitUntilOf(c), { requestId, timings })
      c.set('deps', deps)
      c.set('log', deps.log)
      c.set('timings', timings)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (!reported.has(error)) log.error('misconfigured', { faults: error.faults })
      reported.add(error)
      throw new AppError('misconfigured')
    }
  }
}
