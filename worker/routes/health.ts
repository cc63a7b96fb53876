import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { checkHealth } from '../stats/health.ts'

export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const health = await checkHealth(c.var.deps)
  // Only a lost database stops every call; a provider's outage must not make a balancer kill purchases in flight.
  return c.json(health, health.db === 'ok' ? 200 : 503)
})
