import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { serviceFacts, x402Discovery } from '../openapi/discovery.ts'

const CACHE = { 'Cache-Control': 'public, max-age=300' }

/** What the service is and how it is paid, for programs that meet it for the first time. */
export const wellKnownRoutes = new Hono<AppEnv>()
  .get('/coinslot.json', (c) => c.json(serviceFacts(c.var.deps.config), 200, CACHE))
  .get('/x402', (c) => c.json(x402Discovery(c.var.deps.config), 200, CACHE))
