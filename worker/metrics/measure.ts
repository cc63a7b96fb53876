import type { Deps } from '../context.ts'
import type { MeasuredUpstream } from './latencies.ts'
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
 * The deps with every port measured: for this request in `timings`, and for the isolate in `upstreams.latencies`. The ports are new
 * objects each time, so nothing may be cached under their identity; `upstreams` and `config` stay the isolate's.
 */
export function measured(deps: Deps, timings: Timings): Deps {
  const { latencies } = deps.upstreams
  const watch = <Port extends object>(upstream: MeasuredUpstream, port: Port): Port =>
    watched(port, () => {
      const end = timings.begin(upstream)
      return (ok) => {
        const ms = end()
        // What a cache answered took no time and says nothing about the upstream.
        if (ms > 0 || !ok) latencies.record(upstream, ms, ok)
      }
    })
  return {
    ...deps,
    database: watch('db', deps.database),
    facilitator: watch('facilitator', deps.facilitator),
    chain: watch('chain', deps.chain),
    provider: watch('provider', deps.provider),
    store: watch('store', deps.store),
  }
}
