import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'

/**
 * Draws a fresh id for each request and answers it in `X-Request-Id`; ids that callers send are not believed. Answers that
 * shared caches may keep go without, since they would repeat one request's id to everybody.
 */
export const requestId: MiddlewareHandler<AppEnv> = async (c, next) => {
  const id = crypto.randomUUID()
  c.set('requestId', id)
  await next()
  if (!c.res.headers.get('Cache-Control')?.includes('public')) c.res.headers.set('X-Request-Id', id)
}
