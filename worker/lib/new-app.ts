import type { Params, Result, Router } from 'hono/router'
import { Hono } from 'hono/tiny'
import type { AppEnv } from '../context.ts'

interface Route<Handler> {
  method: string
  handler: Handler
  /** What a path begins with. */
  start: string
  /** The name of the parameter that follows; `*` for any paths below `start`; undefined where `start` is the whole path. */
  param: string | undefined
  /** What a path with a parameter ends with. */
  end: string
}

const NONE: Params = {}
const PATTERN = /^([^:*?{]*)(?:\/(\*)|\/:(\w+)(\/[^:*?{]*)?)?$/

/**
 * Finds the routes of a path: one text, all below one, or one parameter in it. Hono's own router makes a regular expression of all
 * routes at the first request: a twentieth of a start, and 2 KiB of the bundle.
 */
class PathRouter<Handler> implements Router<Handler> {
  readonly name = 'PathRouter'
  readonly #routes: Route<Handler>[] = []

  /** Throws for a pattern of another kind. */
  add(method: string, path: string, handler: Handler): void {
    const [, start, below, name, end = ''] = PATTERN.exec(path) ?? []
    if (start === undefined) throw new Error(`${path}: a path has one parameter or \`/*\` at its end, or neither`)
    this.#routes.push({ method, handler, start, param: below ?? name, end })
  }

  match(method: string, path: string): Result<Handler> {
    const matches: [Handler, Params][] = []
    for (const route of this.#routes) {
      if (route.method !== method && route.method !== 'ALL') continue
      const params = paramsOf(route, path)
      if (params !== null) matches.push([route.handler, params])
    }
    return [matches]
  }
}

function paramsOf({ start, param, end }: Route<unknown>, path: string): Params | null {
  if (param === undefined) return path === start ? NONE : null
  if (param === '*') return path === start || path.startsWith(`${start}/`) ? NONE : null
  if (!path.startsWith(`${start}/`) || !path.endsWith(end)) return null
  const value = path.slice(start.length + 1, path.length - end.length)
  return value === '' || value.includes('/') ? null : { [param]: value }
}

/** An app of Hono without routes. */
export function newApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.router = new PathRouter()
  return app
}
