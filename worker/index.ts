import { createApp } from './app.ts'
import { makeDeps, oncePerEnv } from './deps.ts'
import { reconcile } from './inference/background.ts'
import { describeError, makeConsoleLog } from './log.ts'
import { forRequest } from './middleware/request-deps.ts'

const depsOf = oncePerEnv(makeDeps)
const app = createApp(depsOf)

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, context) {
    const log = makeConsoleLog({ trigger: 'scheduled' })
    const deps = forRequest(depsOf(env), log, (promise) => context.waitUntil(promise))
    try {
      await reconcile(deps)
    } catch (error) {
      deps.log.error('reconcile.failed', { cause: describeError(error) })
      throw error
    }
  },
} satisfies ExportedHandler<object>
