import { bodyOf } from '../api.ts'
import { type Problem, readProblem } from '../problem.ts'
import { type Inference, readInference } from '../records/inference.ts'
import { EventParser, type StreamMessage } from '../sse.ts'
import { backoffMs, nextStep } from './next-step.ts'
import type { SignedPayment } from './payment-store.ts'
import { type News, readNews } from './progress.ts'

/** Silence on an open stream after which the line is called dead; the server sends heartbeats far more often. */
const SILENCE_MS = 45_000

/** What the drive reports while it goes on. */
export type DriveNews =
  | News
  | { kind: 'connected' }
  | { kind: 'waiting'; reason: 'connection' | 'server'; problem: Problem | null; afterMs: number }

/** How a drive ends. `sign_in` keeps the payment: the same one goes on after the sign-in. */
export type Ending =
  | { end: 'result'; inference: Inference }
  | { end: 'sign_in'; problem: Problem }
  | { end: 'sign_again'; problem: Problem; quoteHeader: string | null }
  | { end: 'stopped'; problem: Problem }

export interface DriveDeps {
  /** Sends the payment; always the same header and body. */
  send(payment: SignedPayment, signal: AbortSignal): Promise<Response>
  refreshCsrf(): Promise<void>
  /** Resolves after the time, or earlier when the connection is back. */
  wait(ms: number): Promise<void>
  report(news: DriveNews): void
}

type Answer =
  | { kind: 'result'; inference: Inference }
  | { kind: 'again'; afterMs: number | null }
  | { kind: 'problem'; problem: Problem; quoteHeader: string | null }

/**
 * Sends one signed payment until its outcome is here, whatever happens to the line: a lost answer, a stream cut short and
 * "still running" all mean the same call again. Never signs, never changes what it sends. Throws only when `signal` aborts.
 */
export async function drive(deps: DriveDeps, payment: SignedPayment, signal: AbortSignal): Promise<Ending> {
  let quiet = 0
  for (;;) {
    signal.throwIfAborted()
    const heard = await tryOnce(deps, payment, signal)
    if (heard === null) {
      await pause(deps, { reason: 'connection', problem: null, afterMs: backoffMs(quiet) })
    } else if (heard.kind === 'result') {
      return { end: 'result', inference: heard.inference }
    } else if (heard.kind === 'again') {
      quiet = 0
      await pause(deps, { reason: 'server', problem: null, afterMs: heard.afterMs ?? backoffMs(1) })
    } else {
      const ending = await obey(deps, heard, quiet)
      if (ending) return ending
    }
    quiet += 1
  }
}

async function obey(
  deps: DriveDeps,
  { problem, quoteHeader }: { problem: Problem; quoteHeader: string | null },
  attempt: number,
): Promise<Ending | null> {
  const step = nextStep(problem, attempt)
  switch (step.do) {
    case 'sign_in':
      return { end: 'sign_in', problem }
    case 'sign_again':
      return { end: 'sign_again', problem, quoteHeader }
    case 'stop':
      return { end: 'stopped', problem }
    case 'refresh_csrf':
      await deps.refreshCsrf().catch(() => undefined)
      return null
    case 'resend':
      await pause(deps, { reason: 'server', problem, afterMs: step.afterMs })
      return null
  }
}

async function pause(
  deps: DriveDeps,
  why: { reason: 'connection' | 'server'; problem: Problem | null; afterMs: number },
): Promise<void> {
  deps.report({ kind: 'waiting', ...why })
  await deps.wait(why.afterMs)
}

/** One call; null when the line broke before an outcome. */
async function tryOnce(deps: DriveDeps, payment: SignedPayment, signal: AbortSignal): Promise<Answer | null> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  const alive = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  try {
    const response = await deps.send(payment, AbortSignal.any([signal, silence.signal]))
    alive()
    const streams = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    return streams && response.body !== null ? await follow(deps, response.body, alive) : await readAnswer(response)
  } catch (cause) {
    signal.throwIfAborted()
    // An answer that is no answer of ours (a proxy's page, a cut stream) is a broken line, not an outcome.
    console.warn('coinslot: the connection broke', cause instanceof Error ? cause.message : '')
    return null
  } finally {
    clearTimeout(timer)
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const body = await bodyOf(response)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (response.status === 202) return { kind: 'again', afterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null }
  if (response.ok) return { kind: 'result', inference: readInference(body) }
  const problem = readProblem(body, response.status)
  if (problem.retryAfterSeconds === null && Number.isFinite(retryAfter)) problem.retryAfterSeconds = retryAfter
  return { kind: 'problem', problem, quoteHeader: response.headers.get('payment-required') }
}

async function follow(
  deps: DriveDeps,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  alive: () => void,
): Promise<Answer | null> {
  deps.report({ kind: 'connected' })
  const parser = new EventParser()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return null
      alive()
      for (const message of parser.push(value)) {
        const answer = hearEvent(deps, message)
        if (answer !== null) return answer
      }
    }
  } finally {
    // Read to its end, so that the line closes as both sides expect.
    void drain(reader)
  }
}

async function drain(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke instead: closed all the same.
  }
}

/** The answer that an event is, or null for one that only tells how far things are. */
function hearEvent(deps: DriveDeps, message: StreamMessage): Answer | null {
  const news = readNews(message)
  if (news === null) return null
  switch (news.kind) {
    case 'result':
      return { kind: 'result', inference: news.inference }
    case 'pending':
      return { kind: 'again', afterMs: null }
    case 'problem':
      return { kind: 'problem', problem: news.problem, quoteHeader: null }
    default:
      deps.report(news)
      return null
  }
}
