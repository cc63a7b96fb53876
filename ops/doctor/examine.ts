import { ConfigError, loadConfig } from '../../worker/config/env.ts'
import type { Fetch } from '../../worker/lib/http.ts'
import { checkAic } from './aic.ts'
import { checkBucket } from './bucket.ts'
import { checkCatalogues } from './catalogues.ts'
import { checkChains } from './chains.ts'
import { makeClock } from './clock.ts'
import { checkDatabase } from './database.ts'
import { checkFacilitator } from './facilitator.ts'
import { type Check, type CheckContext, type Finding, fail, ok, wordsOf } from './finding.ts'
import { checkModels } from './models.ts'
import { checkOrigin } from './origin.ts'
import { checkProvider, checkWebhookSecret } from './provider.ts'

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
