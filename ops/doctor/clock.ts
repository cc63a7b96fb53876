import type { Fetch } from '../../worker/lib/http.ts'
import { type Finding, fail, ok, skip } from './finding.ts'

/** Authorizations are judged to the second, with 6 s to spare; sign-in allows a minute. */
const MAX_SKEW_SECONDS = 30

export interface Clock {
  /** The given fetch, noting each peer's `Date`. */
  fetch: Fetch
  finding(): Finding
}

/** Compares this machine's clock with those of the peers it talks to. */
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
      if (skews.size === 0) return skip('clock', 'no peer told the time')
      const sorted = [...skews.values()].sort((a, b) => a - b)
      // Most peers agree: where one differs, it is that peer's clock, and its own affair.
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0
      if (Math.abs(median) <= MAX_SKEW_SECONDS)
        return ok('clock', `within ${Math.abs(median)} s of ${skews.size} peers`)
      const how = `this machine is ${Math.abs(median)} s ${median > 0 ? 'ahead' : 'behind'}`
      return fail(
        'clock',
        how,
        'Set the clock (NTP). Payments would be refused as lapsed or not yet valid, and sign-in messages as old.',
      )
    },
  }
}
