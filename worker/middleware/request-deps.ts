import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv, Deps, RequestDeps } from '../context.ts'
import { ConfigError } from '../env.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { ClientAddress } from './client-address.ts'

/** Gives the deps of this isolate, the same ones for the same bindings. Throws `ConfigError`. */
export type MakeDeps = (env: object) => Deps

/** What differs between the places the app runs in. */
export interface Platform {
  clientAddress: ClientAddress
  makeLog(base: Record<string, unknown>): Log
}

/** Adds what belongs to one request (or one scheduled run) to the isolate's deps. */
export const forRequest = (deps: Deps, log: Log, waitUntil: RequestDeps['waitUntil']): RequestDeps => ({
  ...deps,
  log,
  waitUntil,
})

/** Workers and our Node entry give an execution context; without one a promise just runs. */
function waitUntilOf(c: Context<AppEnv>): RequestDeps['waitUntil'] {
  try {
    const { executionCtx } = c
    return (promise) => executionCtx.waitUntil(promise)
  } catch {
    return (promise) => void promise.catch(() => undefined)
  }
}

/** Puts the request's deps on the context, or answers 503 `misconfigured`, which tells the caller nothing more. */
export function requestDeps(makeDeps: MakeDeps, platform: Platform): MiddlewareHandler<AppEnv> {
  const reported = new WeakSet<ConfigError>()
  return async (c, next) => {
    const log = platform.makeLog({ requestId: c.var.requestId })
    c.set('log', log)
    c.set('clientAddress', platform.clientAddress(c.req.raw, c.env))
    try {
      c.set('deps', forRequest(makeDeps(c.env), log, waitUntilOf(c)))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (!reported.has(error)) log.error('misconfigured', { faults: error.faults })
      reported.add(error)
      throw new AppError('misconfigured')
    }
    await next()
  }
}
