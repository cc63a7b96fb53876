import type { Log } from '../../../worker/lib/log.ts'

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
