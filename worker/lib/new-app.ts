import { TrieRouter } from 'hono/router/trie-router'
import { Hono } from 'hono/tiny'
import type { AppEnv } from '../context.ts'

/**
 * An app of Hono without routes. Hono's own choice, one regular expression of all paths, is built by the first request: a
 * twentieth of a start, and 2 KiB of the bundle.
 */
export function newApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.router = new TrieRouter()
  return app
}
