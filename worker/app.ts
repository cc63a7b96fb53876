import { Hono, type MiddlewareHandler, type NotFoundHandler } from 'hono'
import { AppError } from './errors.ts'
import type { AppEnv } from './http/context.ts'
import { withRequestContext, withResponseHeaders } from './http/middleware/pipeline.ts'
import { onErrorWith, problemResponse, type RespondWithProblem } from './http/middleware/problem.ts'
import type { MakeDeps, Platform } from './http/middleware/request-deps.ts'
import { isOpenaiPath, openaiErrorResponse } from './http/openai/error.ts'
import { openaiRoutes } from './http/openai/routes.ts'
import { accountRoutes } from './http/routes/account.ts'
import { adminRoutes } from './http/routes/admin.ts'
import { authRoutes } from './http/routes/auth.ts'
import { inferenceRoutes } from './http/routes/inference.ts'
import { inferencesRoutes } from './http/routes/inferences.ts'
import { modelsRoutes } from './http/routes/models.ts'
import { serviceRoutes } from './http/routes/service.ts'
import { ownShareRoutes, sharesRoutes } from './http/routes/shares.ts'
import { webhookRoutes } from './http/routes/webhooks.ts'
import { cloudflareAddress } from './lib/client-address.ts'
import { makeConsoleLog } from './lib/log.ts'

/** Middleware: with `MCP_ROUTES=false` none of these paths exists. */
const whereSwitchedOn: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!c.get('deps').config.mcpRoutes) throw new AppError('not_found', { detail: 'No such path.' })
  await next()
}

/**
 * The routes that the MCP server over HTTP calls: as under `/api`, with proofs for `/mcp`, the one path its callers know. No
 * public address leads here.
 */
const mcpRoutes = new Hono<AppEnv>()
  .use(whereSwitchedOn)
  .route('/inference', inferenceRoutes)
  .route('/models', modelsRoutes)

const CLOUDFLARE: Platform = { clientAddress: cloudflareAddress, makeLog: makeConsoleLog }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Problems are answered in the form of the path's API. */
const respond: RespondWithProblem = (c, problem) =>
  isOpenaiPath(c.req.path) ? openaiErrorResponse(c, problem) : problemResponse(c, problem)

/** 405 with `Allow` where the path has other methods, 204 for a plain OPTIONS there, else 404. */
const notFound =
  (app: Hono<AppEnv>): NotFoundHandler<AppEnv> =>
  (c) => {
    const routes = METHODS.flatMap((method) =>
      app.router.match(method, c.req.path)[0].flatMap(([[, route]]) => (route.method === method ? [route] : [])),
    )
    // An exact path comes before a pattern: `/estimate` is not an `/:id`.
    const own = routes.filter(({ path }) => path === c.req.path)
    const allowed = [...new Set((own.length > 0 ? own : routes).map(({ method }) => method))]
    if (allowed.length === 0) {
      return respond(c, new AppError('not_found', { detail: 'No such path.' }))
    }
    const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allow })
    const detail = `Use ${allowed.join(' or ')} here.`
    return respond(c, new AppError('method_not_allowed', { detail }, { headers: { Allow: allow } }))
  }

/**
 * The whole HTTP API. `makeDeps` returns the deps of this isolate for the platform's bindings and may throw `ConfigError`;
 * `platform` defaults to Cloudflare's.
 */
export function createApp(makeDeps: MakeDeps, platform: Partial<Platform> = {}) {
  const app = new Hono<AppEnv>()
  app.use(withResponseHeaders, withRequestContext(makeDeps, { ...CLOUDFLARE, ...platform }))
  app.onError(onErrorWith(respond))
  app.notFound(notFound(app))
  return app
    .route('/api/auth', authRoutes)
    .route('/api/models', modelsRoutes)
    .route('/api/inference', inferenceRoutes)
    .route('/api/inference', ownShareRoutes)
    .route('/api/shares', sharesRoutes)
    .route('/api/inferences', inferencesRoutes)
    .route('/api/account', accountRoutes)
    .route('/api/admin', adminRoutes)
    .route('/api/webhooks', webhookRoutes)
    .route('/v1', openaiRoutes)
    .route('/mcp', mcpRoutes)
    .route('/', serviceRoutes)
}

/** The routes with their types, for a typed client of the site. */
export type AppType = ReturnType<typeof createApp>
