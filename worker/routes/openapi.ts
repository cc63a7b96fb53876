import { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import type { AppEnv } from '../context.ts'
import { openapiDocument } from '../openapi/document.ts'

/** Made when somebody asks for it, once per isolate. */
const made = new WeakMap<Config, string>()

export const openapiRoutes = new Hono<AppEnv>().get('/', (c) => {
  const { config } = c.var.deps
  const text = made.get(config) ?? JSON.stringify(openapiDocument(config.publicOrigins[0]))
  made.set(config, text)
  return c.body(text, 200, { 'Content-Type': 'application/json' })
})
