import type { Config } from '../../worker/config/config.ts'
import { type Fetch, HttpError } from '../../worker/lib/http.ts'
import { firstCharacters } from '../../worker/lib/text.ts'

/** The finding of one check. `advice` says what to do about a fault. */
export interface Finding {
  check: string
  status: 'ok' | 'fail' | 'warn' | 'skip'
  detail: string
  advice?: string
}

export interface CheckContext {
  config: Config
  fetch: Fetch
  now(): Date
  newId(): string
}

/** Checks one area. Throws only by mistake. */
export type Check = (context: CheckContext) => Promise<Finding[]>

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail })
export const skip = (check: string, detail: string): Finding => ({ check, status: 'skip', detail })
export const fail = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: 'fail',
  detail,
  advice,
})
export const warn = (check: string, detail: string, advice: string): Finding => ({
  ...fail(check, detail, advice),
  status: 'warn',
})

/** The first line of an error's message and of its causes, where a database's reason is. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ')
  if (!(error instanceof Error)) return String(error)
  const cause = error instanceof HttpError || error.cause === undefined ? '' : ` (${wordsOf(error.cause)})`
  return firstCharacters(`${error.message.split('\n', 1)[0]}${cause}`, 300)
}
