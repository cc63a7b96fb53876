import { createApp } from './app.ts'
import { ConfigError } from './config/env.ts'
import { makeDeps, oncePerEnv } from './deps.ts'
import { keepMonths } from './inference/keep-months.ts'
import { reconcile } from './inference/reconcile.ts'
import { describeError, makeConsoleLog } from './lib/log.ts'
import { forRequest } from './middleware/request-deps.ts'
import { checkModels } from './models/availability.ts'

const depsOf = oncePerEnv(makeDeps)
const app = createApp(depsOf)

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, context) {
    let log = makeConsoleLog({ trigger: 'scheduled' })
    try {
      const deps = forRequest(depsOf(env), log, (promise) => context.waitUntil(promise))
      log = deps.log
      await reconcile(deps)
      await checkModels(deps)
      await keepMonths(deps)
    } catch (error) {
      if (error instanceof ConfigError) log.error('misconfigured', { faults: error.faults })
      else log.error('reconcile.failed', { cause: describeError(error) })
      throw error
    }
  },
} satisfies ExportedHandler<object>
