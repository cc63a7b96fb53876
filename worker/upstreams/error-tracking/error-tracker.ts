import { type Log, scrub } from '../../lib/log.ts'
import { firstCharacters } from '../../lib/text.ts'

/** One error as the log has it, ready to be reported. */
export interface ErrorReport {
  /** The log's event name, e.g. `problem` or `reconcile.fault`. */
  event: string
  /** The log's fields, with nothing in them that may not be logged. */
  fields: Record<string, unknown>
  /** Where it happened: the request's id, or the scheduled job. */
  context: Record<string, string>
}

/** Reports errors to an operator. `report` stops after a few seconds, and rejects when nothing was delivered. */
export interface ErrorTracker {
  report(report: ErrorReport): Promise<void>
}

/**
 * The same log, which also reports errors to the tracker, beside the answer. A fault of the tracker is a warning in `log`,
 * never an error, or one would cause the next.
 */
export function reportingErrors(
  log: Log,
  tracker: ErrorTracker,
  context: Record<string, string>,
  waitUntil: (promise: Promise<unknown>) => void,
): Log {
  return {
    info: log.info,
    warn: log.warn,
    error(event, fields = {}) {
      log.error(event, fields)
      const sending = tracker.report({ event, fields, context }).catch((cause: unknown) => {
        log.warn('error_tracking.failed', { reason: firstCharacters(scrub(String(cause)), 200) })
      })
      waitUntil(sending)
    },
  }
}
