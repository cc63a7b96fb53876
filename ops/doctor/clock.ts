import type { Fetch } from '../../worker/lib/http.ts'
import { type Finding, fail, ok, skip } from './finding.ts'

/** Authorizations are checked to the second, with a margin of 6 s; sign-in allows a minute. */
const MAX_SKEW_SECONDS = 30

export interface Clock {
  /** The given fetch; it notes the `Date` of each answer. */
  fetch: Fetch
  finding(): Finding
}

/** Compares this machine's clock with those of the services it calls. */
export function makeClock(fetch: Fetch, now: () => Date): Clock {
  const skews = new Map<string, number>()
  return {
    async fetch(url, init) {
      const response = await fetch(url, init)
      const date = Date.parse(response.headers.get('date') ?? '')
      if (!Number.isNaN(date)) skews.set(new URL(url).host, Math.round((now().getTime() - date) / 1_000))
      return response
    },
    finding() {
      if (skews.size === 0) return skip('clock', 'no answer had a date')
      const sorted = [...skews.values()].sort((a, b) => a - b)
      // The median: one service with a wrong clock must not count.
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0
      if (Math.abs(median) <= MAX_SKEW_SECONDS)
        return ok('clock', `within ${Math.abs(median)} s of ${skews.size} services`)
      const how = `this machine is ${Math.abs(median)} s ${median > 0 ? 'ahead' : 'behind'}`
      return fail(
        'clock',
        how,
        'Set the clock (NTP). Payments would be refused as expired or not yet valid, and sign-in messages as old.',
      )
    },
  }
}
