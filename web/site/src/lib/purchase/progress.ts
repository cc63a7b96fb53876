import type { RunEvent } from '@coinslot/client/buyer'
import { startOf } from '@coinslot/client/excerpt'

export const STAGES = ['sent', 'verified', 'settled', 'running', 'stored'] as const
export type Stage = (typeof STAGES)[number]

/** How far a purchase is, according to its run events. */
export interface Progress {
  stage: Stage
  transaction: string | null
  network: string | null
  /** The provider's last log line. */
  log: string | null
  /** Seconds that the model has run, from the provider. */
  seconds: number | null
  /** Text so far. */
  text: string
}

export const NO_PROGRESS: Progress = {
  stage: 'sent',
  transaction: null,
  network: null,
  log: null,
  seconds: null,
  text: '',
}

/** The progress after an event. Stages never go back. */
export function advance(progress: Progress, event: RunEvent): Progress {
  switch (event.event) {
    case 'verified':
    case 'stored':
      return { ...progress, stage: later(progress.stage, event.event) }
    case 'settled': {
      const { transaction, network } = event
      return { ...progress, stage: later(progress.stage, 'settled'), transaction, network }
    }
    case 'running': {
      const log = lastLine(event.logs) ?? progress.log
      return { ...progress, stage: later(progress.stage, 'running'), log, seconds: event.seconds }
    }
    case 'token':
      return { ...progress, stage: later(progress.stage, 'running'), text: progress.text + event.text }
    default:
      return progress
  }
}

function later(a: Stage, b: Stage): Stage {
  return STAGES.indexOf(a) >= STAGES.indexOf(b) ? a : b
}

/** The last log line that is not blank. */
function lastLine(logs: string | null): string | null {
  const line = (logs ?? '').split('\n').findLast((part) => part.trim() !== '')
  return line === undefined ? null : startOf(line.trim(), 200)
}
