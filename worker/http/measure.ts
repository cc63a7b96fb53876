import type { Deps, RequestDeps } from '../domain/deps.ts'
import type { MeasuredUpstream } from '../upstreams/latencies.ts'
import type { Timings } from './timings.ts'

type Done = (ok: boolean) => void

/** The port with every promise timed. Results and errors stay as they are. */
function watched<Port extends object>(port: Port, begin: () => Done): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args)
        if (!(result instanceof Promise)) return result
        const done = begin()
        result.then(
          () => done(true),
          () => done(false),
        )
        return result
      }
    },
  })
}

/**
 * An isolate's deps for one request, every port measured: for this request in `timings`, and for the isolate in
 * `upstreams.latencies`. Ports are measured from their first use, and are new objects each time, so nothing may be cached under
 * their identity; `upstreams` and `config` stay the isolate's.
 */
export class MeasuredDeps implements RequestDeps {
  readonly config: Deps['config']
  readonly rateLimiter: Deps['rateLimiter']
  readonly upstreams: Deps['upstreams']
  readonly waker?: NonNullable<Deps['waker']>
  readonly now: Deps['now']
  readonly newId: Deps['newId']
  readonly sleep: Deps['sleep']
  readonly log: RequestDeps['log']
  readonly waitUntil: RequestDeps['waitUntil']
  readonly #isolate: Deps
  readonly #timings: Timings
  #database: Deps['database'] | undefined
  #facilitator: Deps['facilitator'] | undefined
  #chain: Deps['chain'] | undefined
  #provider: Deps['provider'] | undefined
  #store: Deps['store'] | undefined

  constructor(isolate: Deps, timings: Timings, { log, waitUntil }: Pick<RequestDeps, 'log' | 'waitUntil'>) {
    this.config = isolate.config
    this.rateLimiter = isolate.rateLimiter
    this.upstreams = isolate.upstreams
    if (isolate.waker !== undefined) this.waker = isolate.waker
    this.now = isolate.now
    this.newId = isolate.newId
    this.sleep = isolate.sleep
    this.log = log
    this.waitUntil = waitUntil
    this.#isolate = isolate
    this.#timings = timings
  }

  get database(): Deps['database'] {
    this.#database ??= this.#watch('db', this.#isolate.database)
    return this.#database
  }

  get facilitator(): Deps['facilitator'] {
    this.#facilitator ??= this.#watch('facilitator', this.#isolate.facilitator)
    return this.#facilitator
  }

  get chain(): Deps['chain'] {
    this.#chain ??= this.#watch('chain', this.#isolate.chain)
    return this.#chain
  }

  get provider(): Deps['provider'] {
    this.#provider ??= this.#watch('provider', this.#isolate.provider)
    return this.#provider
  }

  get store(): Deps['store'] {
    this.#store ??= this.#watch('store', this.#isolate.store)
    return this.#store
  }

  #watch<Port extends object>(upstream: MeasuredUpstream, port: Port): Port {
    return watched(port, () => {
      const end = this.#timings.begin(upstream)
      return (ok) => {
        const ms = end()
        // An answer from a cache took no time and says nothing about the upstream.
        if (ms > 0 || !ok) this.upstreams.latencies.record(upstream, ms, ok)
      }
    })
  }
}
