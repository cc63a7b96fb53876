import { createApp } from './app.ts'
import { ConfigError } from './config/env.ts'
import type { RequestDeps } from './domain/deps.ts'
import { checkModels } from './domain/models/availability.ts'
import { keepMonths } from './domain/purchase/jobs/keep-months.ts'
import { answerWakeUps, runScheduledJob } from './domain/purchase/jobs/wake-ups.ts'
import { forRequest } from './http/middleware/request-deps.ts'
import { describeError, makeConsoleLog } from './lib/log.ts'
import { makeDeps, oncePerEnv } from './make-deps.ts'

const depsOf = oncePerEnv(makeDeps)
const app = createApp(depsOf)

/** Work that no request asked for. What it throws is logged and thrown again, so that the platform counts it as failed. */
async function runInBackground(
  trigger: string,
  env: object,
  context: ExecutionContext,
  work: (deps: RequestDeps) => Promise<void>,
): Promise<void> {
  let log = makeConsoleLog({ trigger })
  try {
    const deps = forRequest(depsOf(env), log, (promise) => context.waitUntil(promise))
    log = deps.log
    await work(deps)
  } catch (error) {
    if (error instanceof ConfigError) log.error('misconfigured', { faults: error.faults })
    else log.error('reconcile.failed', { cause: describeError(error) })
    throw error
  }
}

export default {
  fetch: app.fetch,
  scheduled: (_controller, env, context) =>
    runInBackground('scheduled', env, context, async (deps) => {
      await runScheduledJob(deps)
      await checkModels(deps)
      await keepMonths(deps)
    }),
  queue: (batch, env, context) => runInBackground('queue', env, context, (deps) => answerWakeUps(deps, batch.messages)),
} satisfies ExportedHandler<object>
