import { ConfigError, loadConfig } from '../../worker/config/env.ts'
import type { Fetch } from '../../worker/lib/http.ts'
import { checkAic } from './aic.ts'
import { checkBucket } from './bucket.ts'
import { checkCatalogues } from './catalogues.ts'
import { checkChains } from './chains.ts'
import { checkDatabase } from './database.ts'
import { checkFacilitator } from './facilitator.ts'
import { type Check, type CheckContext, type Finding, fail, ok, skip, wordsOf } from './finding.ts'
import { checkOrigin } from './origin.ts'
import { checkModels, checkProvider, checkWebhookSecret } from './provider.ts'

const UPSTREAM_CHECKS: readonly Check[] = [
  checkDatabase,
  checkBucket,
  checkProvider,
  checkWebhookSecret,
  checkModels,
  checkFacilitator,
  checkChains,
  checkAic,
]

export interface ExamineOptions {
  /** Leaves out what only a running deployment can answer. */
  beforeDeploy?: boolean
  fetch?: Fetch
  now?(): Date
}

/** Checks everything that a deployment with these variables needs, all at once. The order of the findings is fixed. */
export async function examine(env: Record<string, unknown>, options: ExamineOptions = {}): Promise<Finding[]> {
  const { beforeDeploy = false, fetch: send = (url, init) => fetch(url, init), now = () => new Date() } = options
  let context: CheckContext
  const clock = makeClock(send, now)
  try {
    context = { config: loadConfig(env), fetch: clock.fetch, now, newId: () => crypto.randomUUID() }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice =
      'Set it as .dev.vars.example explains. Until then nothing else can be checked, and every request is answered 503 misconfigured.'
    return error.faults.map((fault) => fail('configuration', fault, advice))
  }
  const { config } = context
  const names = config.networks.map(({ network }) => network).join(', ')
  const first = ok('configuration', `${config.environment} at ${config.publicOrigins[0]}, payments on ${names}`)
  const checks = beforeDeploy ? UPSTREAM_CHECKS : [...UPSTREAM_CHECKS, checkOrigin, checkCatalogues]
  const found = await Promise.all(checks.map((check) => check(context).catch(mistake)))
  return [first, ...found.flat(), clock.finding()]
}

const mistake = (error: unknown): Finding[] => [
  fail('doctor', wordsOf(error), 'This check failed by itself; the other findings are valid. Please report it.'),
]

/** Authorizations are checked to the second, with a margin of 6 s; sign-in allows a minute. */
const MAX_SKEW_SECONDS = 30

interface Clock {
  /** The given fetch; it notes the `Date` of each answer. */
  fetch: Fetch
  finding(): Finding
}

/** Compares this machine's clock with those of the services it calls. */
function makeClock(fetch: Fetch, now: () => Date): Clock {
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
