import type { Context } from 'hono'
import { catalogue } from '../../domain/models/catalogue.ts'
import type { AppEnv } from '../context.ts'

type Header = readonly [name: string, value: string]

/**
 * The headers of an answer about a model that its maker retires. `Deprecation` is RFC 9745's, Unix seconds; `Sunset` is RFC
 * 8594's, an HTTP date. Both are the day of `deprecatedAt`: it is the only one known.
 */
const byModel = new Map(
  catalogue.flatMap(({ id, deprecatedAt }) => {
    if (deprecatedAt === undefined) return []
    const day = new Date(deprecatedAt)
    const headers: readonly Header[] = [
      ['Deprecation', `@${day.getTime() / 1000}`],
      ['Sunset', day.toUTCString()],
    ]
    return [[id, headers] as const]
  }),
)

/** Remembers which model a request names, for the headers of its answer. Any body will do. */
export function noteModel(c: Context<AppEnv>, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('model' in body) || typeof body.model !== 'string') return
  c.set('modelId', body.model)
}

/** The headers of whatever answers this request; none for a model that stays, or where no model was named. */
export function deprecationHeaders(c: Context<AppEnv>): readonly Header[] {
  const id = c.get('modelId')
  return (id === undefined ? undefined : byModel.get(id)) ?? []
}
