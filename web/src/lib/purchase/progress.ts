import { type Problem, readProblem } from '../problem.ts'
import { type Inference, readInference } from '../records/inference.ts'
import { isFields, maybeNum, maybeStr } from '../shape.ts'
import type { StreamMessage } from '../sse.ts'

export const STAGES = ['sent', 'verified', 'settled', 'running', 'stored'] as const
export type Stage = (typeof STAGES)[number]

/** How far a purchase is, as the event stream told. */
export interface Progress {
  stage: Stage
  transaction: string | null
  network: string | null
  /** The provider's last log line. */
  log: string | null
  /** Seconds the model has run, by the provider. */
  seconds: number | null
  /** Text so far. */
  text: string
}

/** What one event of the stream says. */
export type News =
  | {
      kind: 'stage'
      stage: Stage
      transaction: string | null
      network: string | null
      log: string | null
      seconds: number | null
    }
  | { kind: 'token'; text: string }
  | { kind: 'result'; inference: Inference }
  | { kind: 'pending' }
  | { kind: 'problem'; problem: Problem }

export const NO_PROGRESS: Progress = {
  stage: 'sent',
  transaction: null,
  network: null,
  log: null,
  seconds: null,
  text: '',
}

/** Reads one event; null for an event that this site does not know (a later server may send more). */
export function readNews(message: StreamMessage): News | null {
  const data = parse(message.data)
  const from = isFields(data) ? data : {}
  switch (message.event) {
    case 'verified':
    case 'settled':
    case 'running':
    case 'stored':
      return {
        kind: 'stage',
        stage: message.event,
        transaction: maybeStr(from, 'transaction'),
        network: maybeStr(from, 'network'),
        log: lastLine(from),
        seconds: maybeNum(from, 'seconds'),
      }
    case 'token':
      return { kind: 'token', text: maybeStr(from, 'text') ?? '' }
    case 'result':
      return { kind: 'result', inference: readInference(data) }
    case 'pending':
      return { kind: 'pending' }
    case 'error':
      return { kind: 'problem', problem: readProblem(data, maybeNum(from, 'status') ?? 500) }
    default:
      return null
  }
}

/** The progress after a piece of news. Stages never go back: a stream followed again may start anew. */
export function advance(progress: Progress, news: News): Progress {
  if (news.kind === 'token')
    return { ...progress, stage: later(progress.stage, 'running'), text: progress.text + news.text }
  if (news.kind !== 'stage') return progress
  return {
    ...progress,
    stage: later(progress.stage, news.stage),
    transaction: news.transaction ?? progress.transaction,
    network: news.network ?? progress.network,
    log: news.log ?? progress.log,
    seconds: news.seconds ?? progress.seconds,
  }
}

function later(a: Stage, b: Stage): Stage {
  return STAGES.indexOf(a) >= STAGES.indexOf(b) ? a : b
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}

/** Logs come as text, or as lines; the last one with words in it is shown. */
function lastLine(from: Record<string, unknown>): string | null {
  const logs = Array.isArray(from['logs']) ? from['logs'].join('\n') : (maybeStr(from, 'logs') ?? '')
  const line = logs.split('\n').findLast((part) => part.trim() !== '')
  return line === undefined ? null : line.trim().slice(0, 200)
}
