import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js'
import { formatDecimal } from '../lib/money.ts'
import { STAGES, type Stage } from '../lib/purchase/progress.ts'
import type { Purchase } from '../lib/purchase/states.ts'
import { formatSeconds } from '../lib/time.ts'
import { messages } from '../messages/en.ts'
import { purchaseMessages } from '../messages/en-purchase.ts'
import { HashLink } from './hash-link.tsx'
import { Identicon } from './identicon.tsx'

const TICK_MS = 200

/** A purchase under way: its stages, the run against its typical time, the log, the text as it comes. */
export function ProgressView(props: { state: Extract<Purchase, { at: 'paying' }>; onGiveUp(): void }) {
  const progress = () => props.state.progress
  const label = () => props.state.payment.label
  const elapsed = createElapsed(
    () => progress().stage === 'running' || progress().stage === 'stored',
    () => progress().seconds,
  )
  const drawn = (): number => drawnShare(progress().stage, elapsed(), label().estimatedSeconds)
  const waits = (): string | null => {
    const wait = props.state.wait
    if (wait === null) return null
    return wait.reason === 'connection'
      ? purchaseMessages.stages.offline
      : (wait.problem?.title ?? purchaseMessages.stages.server)
  }
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
          {label().modelName}
          <span class="figures"> · {messages.common.money(formatDecimal(label().amount), label().symbol)}</span>
        </h2>
        <ol class="stages">
          <For each={STAGES}>
            {(stage) => (
              <li
                classList={stageClasses(stage, progress().stage)}
                aria-current={stage === progress().stage ? 'step' : undefined}
              >
                <span>{purchaseMessages.stages[stage]}</span>
                <Show when={stage === 'settled' && progress().transaction}>
                  {(hash) => <HashLink hash={hash()} network={progress().network ?? label().network} />}
                </Show>
                <Show when={stage === 'running' && progress().stage === 'running'}>
                  <span class="figures stage-time">{runTime(elapsed(), label().estimatedSeconds)}</span>
                </Show>
              </li>
            )}
          </For>
        </ol>
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
        <Show when={waits()}>
          {(why) => (
            <p class="progress-wait" role="status">
              {why()}
            </p>
          )}
        </Show>
        <Show when={props.state.wait?.problem?.paymentState === 'unused'}>
          <button type="button" class="button button-quiet" onClick={() => props.onGiveUp()}>
            {purchaseMessages.stages.giveUp}
          </button>
        </Show>
        <p class="progress-safe">{purchaseMessages.stages.safe}</p>
      </div>
    </div>
  )
}

function stageClasses(stage: Stage, now: Stage): Record<string, boolean> {
  const [own, current] = [STAGES.indexOf(stage), STAGES.indexOf(now)]
  return {
    'stage-done': own < current || (own === current && now !== 'running'),
    'stage-now': own === current && now === 'running',
    'stage-next': own === current + 1 && now !== 'running',
  }
}

function runTime(elapsed: number, typical: number): string {
  return elapsed > typical * 1.5 && elapsed > typical + 3
    ? purchaseMessages.stages.over(formatSeconds(elapsed))
    : purchaseMessages.stages.elapsed(formatSeconds(elapsed), formatSeconds(typical))
}

/** The seal is drawn as the work goes on: a fifth for the payment, the rest with the run, never whole before its end. */
function drawnShare(stage: Stage, elapsed: number, typical: number): number {
  const paid = { sent: 0.04, verified: 0.1, settled: 0.2, running: 0.2, stored: 1 }[stage]
  return stage === 'running' ? paid + 0.76 * (1 - Math.exp(-1.6 * (elapsed / Math.max(typical, 0.5)))) : paid
}

/** Seconds since the run began, counted here and set right by what the provider says. */
function createElapsed(running: () => boolean, said: () => number | null): () => number {
  const [seconds, setSeconds] = createSignal(0)
  let startedAt = 0
  createEffect(
    on(running, (now) => {
      if (!now) return
      startedAt = performance.now()
      const timer = setInterval(() => setSeconds((performance.now() - startedAt) / 1000), TICK_MS)
      onCleanup(() => clearInterval(timer))
    }),
  )
  createEffect(() => {
    const provider = said()
    if (provider !== null) startedAt = performance.now() - provider * 1000
  })
  return seconds
}
