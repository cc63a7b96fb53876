import type { Problem } from '@coinslot/client/problem'
import { createEffect, createMemo, createSignal, For, onCleanup, Show } from 'solid-js'
import { HashLink } from '../../../shared/hash-link.tsx'
import { formatDecimal } from '../../../shared/money.ts'
import { buysWithoutSiteData } from '../../../shared/storage.ts'
import { formatSeconds } from '../../../shared/time.ts'
import type { Label } from '../lib/purchase/payment-store.ts'
import { type Progress, STAGES, type Stage } from '../lib/purchase/progress.ts'
import { problemTitle } from '../lib/purchase/reason-words.ts'
import { runTime } from '../lib/purchase/run-time.ts'
import type { Purchase, Wait } from '../lib/purchase/states.ts'
import { messages, pageMessages, purchaseMessages } from '../messages/active.ts'
import { Identicon } from './identicon.tsx'

const TICK_MS = 200
/** A wait is shown with its length from here on. */
const SHORT_WAIT_SECONDS = 5

/** A running purchase: its stages, the elapsed and the typical time, the log, the text so far. */
export function ProgressView(props: { state: Extract<Purchase, { at: 'paying' }>; onGiveUp(): void }) {
  const progress = () => props.state.progress
  const label = () => props.state.payment.label
  const elapsed = createElapsed(
    () => progress().stage === 'running',
    () => progress().seconds,
  )
  const drawn = (): number => drawnShare(progress().stage, elapsed(), label().estimatedSeconds)
  return (
    <div class="progress">
      <Identicon
        seed={progress().transaction ?? props.state.payment.header.slice(-80)}
        lines={4}
        drawn={drawn()}
        class="progress-identicon"
      />
      <div class="progress-words">
        <h2>
          {label().modelName}{' '}
          <span class="figures">{messages.common.money(formatDecimal(label().amount), label().symbol)}</span>
        </h2>
        <Stages progress={progress()} label={label()} elapsed={elapsed()} />
        <p class="visually-hidden" role="status">
          {purchaseMessages.stages.announce[progress().stage]}
        </p>
        <Show when={progress().stage === 'running' && progress().log}>
          {(log) => (
            <p class="log" dir="auto">
              {log()}
            </p>
          )}
        </Show>
        <Show when={progress().text !== ''}>
          <p class="streamed" dir="auto">
            {progress().text}
          </p>
        </Show>
        <WaitNote wait={props.state.wait} onGiveUp={() => props.onGiveUp()} />
      </div>
    </div>
  )
}

/** Why the purchase waits, and whether the page can be closed or the payment be given up. */
function WaitNote(props: { wait: Wait | null; onGiveUp(): void }) {
  const now = createNow(() => props.wait !== null)
  return (
    <>
      <Show when={waitText(props.wait, now())}>
        {(why) => (
          <p class="progress-wait" role="status">
            {why()}
          </p>
        )}
      </Show>
      <Show
        when={props.wait?.problem?.paymentState === 'unused'}
        fallback={
          <p class="progress-safe">
            {buysWithoutSiteData() ? pageMessages.withoutSiteData.stay : purchaseMessages.stages.safe}
          </p>
        }
      >
        <button type="button" class="button button-quiet" onClick={() => props.onGiveUp()}>
          {purchaseMessages.stages.giveUp}
        </button>
      </Show>
    </>
  )
}

function Stages(props: { progress: Progress; label: Label; elapsed: number }) {
  return (
    <ol class="stages">
      <For each={STAGES}>
        {(stage) => (
          <li
            classList={stageClasses(stage, props.progress.stage)}
            aria-current={stage === props.progress.stage ? 'step' : undefined}
          >
            <span>{purchaseMessages.stages[stage]}</span>
            <Show when={stage === 'settled' && props.progress.transaction}>
              {(hash) => (
                <HashLink
                  what={purchaseMessages.result.tx}
                  hash={hash()}
                  network={props.progress.network ?? props.label.network}
                />
              )}
            </Show>
            <Show when={stage === 'running' && props.progress.stage === 'running'}>
              <span class="figures stage-time">
                {runTime(purchaseMessages.stages, props.elapsed, props.label.estimatedSeconds)}
              </span>
            </Show>
          </li>
        )}
      </For>
    </ol>
  )
}

/** Why the purchase waits, or null. */
function waitText(wait: Wait | null, nowMs: number): string | null {
  if (wait === null) return null
  if (wait.reason === 'connection') return purchaseMessages.stages.offline
  const why =
    wait.problem === null || isBusy(wait.problem) ? purchaseMessages.stages.server : problemTitle(wait.problem)
  const seconds = Math.floor((nowMs - wait.sinceMs) / 1000)
  return seconds < SHORT_WAIT_SECONDS ? why : purchaseMessages.stages.since(why, formatSeconds(seconds))
}

/**
 * The service or the model provider has no room now, or the record cannot be read without cookies and the payment is sent again. The
 * problem's own title says less than we do.
 */
const isBusy = ({ code }: Problem): boolean =>
  ['rate_limited', 'model_unavailable', 'facilitator_unavailable', 'database_unavailable', 'unauthenticated'].includes(
    code,
  )

function stageClasses(stage: Stage, now: Stage): Record<string, boolean> {
  const [own, current] = [STAGES.indexOf(stage), STAGES.indexOf(now)]
  return {
    'stage-done': own < current || (own === current && now !== 'running'),
    'stage-now': own === current && now === 'running',
    'stage-next': own === current + 1 && now !== 'running',
  }
}

/** How much of the identicon is drawn: a fifth for the payment, the rest with the run, all of it at the end. */
function drawnShare(stage: Stage, elapsed: number, typical: number): number {
  const paid = { sent: 0.04, verified: 0.1, settled: 0.2, running: 0.2, stored: 1 }[stage]
  return stage === 'running' ? paid + 0.76 * (1 - Math.exp(-1.6 * (elapsed / Math.max(typical, 0.5)))) : paid
}

/** The present time in milliseconds, while it is needed. */
function createNow(needed: () => boolean): () => number {
  const [now, setNow] = createSignal(Date.now())
  const isNeeded = createMemo(needed)
  createEffect(() => {
    if (!isNeeded()) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    onCleanup(() => clearInterval(timer))
  })
  return now
}

/** Seconds since the run started, counted here and raised to the provider's figure. It never falls. */
function createElapsed(running: () => boolean, providerSeconds: () => number | null): () => number {
  const [seconds, setSeconds] = createSignal(0)
  // The memo ignores events that do not start or end the run.
  const isRunning = createMemo(running)
  let startedAt = Number.POSITIVE_INFINITY
  createEffect(() => {
    if (!isRunning()) return
    startedAt = Math.min(startedAt, performance.now())
    const timer = setInterval(() => setSeconds((performance.now() - startedAt) / 1000), TICK_MS)
    onCleanup(() => clearInterval(timer))
  })
  createEffect(() => {
    const provider = providerSeconds()
    if (provider !== null) startedAt = Math.min(startedAt, performance.now() - provider * 1000)
  })
  return seconds
}
