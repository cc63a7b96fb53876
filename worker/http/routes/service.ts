import { Hono } from 'hono'
import { checkHealth } from '../../domain/stats/health.ts'
import { readStats, STATS_SECONDS } from '../../domain/stats/stats.ts'
import type { AppEnv } from '../context.ts'
import { securityText, serviceFacts, x402Catalogue, x402Discovery } from '../openapi/discovery.ts'
import { openapiText } from '../openapi/document.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const FIVE_MINUTES = { 'Cache-Control': 'public, max-age=300' }

/** The service's public descriptions of itself: health, statistics, the API's description, discovery documents. */
export const serviceRoutes = new Hono<AppEnv>()
  .get('/api/health', async (c) => {
    const health = await checkHealth(c.var.deps)
    // 503 only without the database: during a provider's outage a load balancer must not stop purchases in progress.
    return c.json(health, health.db === 'ok' ? 200 : 503)
  })
  .get('/api/stats', async (c) =>
    c.json(await readStats(c.var.deps), 200, { 'Cache-Control': `public, max-age=${STATS_SECONDS}` }),
  )
  .get('/api/openapi.json', (c) => c.body(openapiText(c.var.deps.config), 200, JSON_TYPE))
  .get('/openapi.json', (c) => c.body(openapiText(c.var.deps.config), 200, JSON_TYPE))
  .get('/.well-known/coinslot.json', (c) => c.json(serviceFacts(c.var.deps.config), 200, FIVE_MINUTES))
  .get('/.well-known/x402', (c) => c.json(x402Discovery(c.var.deps.config), 200, FIVE_MINUTES))
  .get('/.well-known/x402.json', async (c) => c.json(await x402Catalogue(c.var.deps), 200, FIVE_MINUTES))
  .get('/.well-known/security.txt', (c) => c.text(securityText(c.var.deps.config, c.var.deps.now()), 200, FIVE_MINUTES))
