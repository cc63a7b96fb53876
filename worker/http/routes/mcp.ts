import { Hono, type MiddlewareHandler } from 'hono'
import { AppError } from '../../errors.ts'
import type { AppEnv } from '../context.ts'
import { inferenceRoutes } from './inference.ts'
import { modelsRoutes } from './models.ts'

/** Middleware: with `MCP_ROUTES=false` none of these paths exists. */
const whereSwitchedOn: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!c.get('deps').config.mcpRoutes) throw new AppError('not_found', { detail: 'No such path.' })
  await next()
}

/**
 * The routes that the MCP server over HTTP calls: as under `/api`, with proofs for `/mcp`, the one path its callers know. No
 * public address leads here.
 */
export const mcpRoutes = new Hono<AppEnv>()
  .use(whereSwitchedOn)
  .route('/inference', inferenceRoutes)
  .route('/models', modelsRoutes)
