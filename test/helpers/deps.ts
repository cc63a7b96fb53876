import { randomUUID } from 'node:crypto'
import type { Deps, RequestDeps } from '../../worker/domain/deps.ts'
import { makeUpstreamHealth } from '../../worker/upstreams/upstream-health.ts'
import { makeTestConfig } from './config.ts'
import { makeFakeChain } from './fakes/chain.ts'
import { makeFakeFacilitator } from './fakes/facilitator.ts'
import { downDatabase, makeFakeClock, makeFakeLog, makeFakeRateLimiter } from './fakes/ports.ts'
import { makeFakeProvider } from './fakes/provider.ts'
import { makeFakeStore } from './fakes/store.ts'

/** All fakes at once, wired into `Deps`; `overrides` replaces any of them. */
export function makeTestDeps(overrides: Partial<Deps> = {}) {
  const clock = makeFakeClock()
  const chain = makeFakeChain(clock)
  const facilitator = makeFakeFacilitator()
  const provider = makeFakeProvider(clock)
  const store = makeFakeStore()
  const rateLimiter = makeFakeRateLimiter()
  const log = makeFakeLog()
  const pending: Promise<unknown>[] = []
  const deps: RequestDeps = {
    config: makeTestConfig(),
    database: downDatabase,
    facilitator,
    chain,
    provider,
    store,
    rateLimiter,
    upstreams: makeUpstreamHealth(),
    now: clock.now,
    newId: randomUUID,
    sleep: async (ms) => clock.advance(ms),
    log,
    waitUntil: (promise) => void pending.push(promise),
    ...overrides,
  }
  return {
    deps,
    clock,
    chain,
    facilitator,
    provider,
    store,
    rateLimiter,
    log,
    settled: () => Promise.allSettled(pending),
  }
}
