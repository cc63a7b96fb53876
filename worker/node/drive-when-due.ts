import { setTimeout as sleep } from 'node:timers/promises'
import { describeError, type Log } from '../lib/log.ts'

/** How often it looks when the next payment is due. No payment becomes due sooner after a change. */
const LOOK_EVERY_MS = 5_000
/** Between two drives: what is due may be in another process's hands. */
const PAUSE_MS = 500

export interface DueWatch {
  /** When the next payment is due; null when none waits. */
  readNextDue(): Promise<Date | null>
  /** Drives what is due. Never throws. */
  drive(): Promise<void>
  now(): Date
  log: Pick<Log, 'warn'>
}

/** Calls `drive` whenever a payment is due, until `signal` is aborted. Without the database it looks again later. */
export async function driveWhenDue({ readNextDue, drive, now, log }: DueWatch, signal: AbortSignal): Promise<void> {
  let isAway = false
  while (!signal.aborted) {
    let waitMs = LOOK_EVERY_MS
    try {
      const dueAt = await readNextDue()
      isAway = false
      if (dueAt !== null) waitMs = Math.min(dueAt.getTime() - now().getTime(), LOOK_EVERY_MS)
    } catch (error) {
      if (!isAway) log.warn('due.unreadable', { cause: describeError(error) })
      isAway = true
    }
    if (waitMs <= 0) await drive()
    await sleep(Math.max(waitMs, PAUSE_MS), undefined, { signal, ref: false }).catch(() => undefined)
  }
}
