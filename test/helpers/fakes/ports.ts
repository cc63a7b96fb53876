import { type Database, DatabaseUnavailable } from '../../../db/client.ts'
import type { Log } from '../../../worker/lib/log.ts'
import type { RateLimiter } from '../../../worker/upstreams/limiter/limits.ts'

/** A clock that stands until it is moved. */
export function makeFakeClock(start = '2026-11-27T12:00:00.000Z') {
  let time = Date.parse(start)
  return {
    now: (): Date => new Date(time),
    set(to: string | Date): void {
      time = new Date(to).getTime()
    },
    advance(ms: number): void {
      time += ms
    },
  }
}

/** A database that is away: for code that must not need one, and for outages. */
export const downDatabase: Database = {
  run: async () => Promise.reject(new DatabaseUnavailable('the test database is down')),
  batch: async () => Promise.reject(new DatabaseUnavailable('the test database is down')),
}

export interface LoggedLine {
  level: 'info' | 'warn' | 'error'
  event: string
  fields: Record<string, unknown>
}

/** Keeps what was logged. */
export function makeFakeLog(): Log & { lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const writer =
    (level: LoggedLine['level']) =>
    (event: string, fields: Record<string, unknown> = {}): void =>
      void lines.push({ level, event, fields })
  return { lines, info: writer('info'), warn: writer('warn'), error: writer('error') }
}

/** Lets everything pass until `allowed` is false; `taken` records what was counted. */
export function makeFakeRateLimiter() {
  const state = { allowed: true, taken: [] as string[] }
  const limiter: RateLimiter = {
    async take(name, key) {
      state.taken.push(`${name}:${key}`)
      return { allowed: state.allowed, limit: 20, windowSeconds: 60, retryAfterSeconds: 7 }
    },
  }
  return Object.assign(limiter, { state })
}
