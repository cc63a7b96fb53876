import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { readStats, STATS_SECONDS } from '../stats/stats.ts'

export const statsRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const stats = await readStats(c.var.deps)
  c.header('Cache-Control', `public, max-age=${STATS_SECONDS}`)
  return c.json(stats)
})
