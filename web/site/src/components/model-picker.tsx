import { type Accessor, createEffect, createSignal, For, Match, Show, Switch } from 'solid-js'
import { approximatePrice } from '../../../shared/money.ts'
import { nextTask } from '../../../shared/task-queue.ts'
import { formatSeconds } from '../../../shared/time.ts'
import type { Model } from '../lib/records/models.ts'
import { messages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { Identicon } from './identicon.tsx'
import { NotLoaded } from './lazy-place.tsx'

/** The models of the task, each with description, time, price, tier and lock. */
export function ModelPicker(props: { composer: ComposerState }) {
  const app = useApp()
  const built = createGrowth(() => props.composer.models().length)
  return (
    <fieldset class="models">
      <legend>
        <span>{messages.studio.model}</span>
        <span>{messages.studio.perRun}</span>
      </legend>
      <Switch>
        <Match when={app.models.failed() && app.models() === undefined}>
          <NotLoaded class="field-error" text={messages.studio.modelsFailed} onRetry={app.models.reload} />
        </Match>
        <Match when={app.models() === undefined}>
          <For each={[1, 2, 3, 4, 5]}>{() => <RowSkeleton />}</For>
        </Match>
        <Match when={true}>
          <For each={props.composer.models()}>
            {(model, index) => (
              <Show when={index() < built()} fallback={<RowSkeleton />}>
                <ModelRow
                  model={model}
                  checked={props.composer.model()?.id === model.id}
                  onChoose={() => props.composer.chooseModel(model.id)}
                />
              </Show>
            )}
          </For>
          <Show when={props.composer.models().some(({ isStandIn }) => isStandIn)}>
            <p class="stand-in">{messages.studio.standIn}</p>
          </Show>
        </Match>
      </Switch>
    </fieldset>
  )
}

/** Counts up to `end`, by one in each task. So the first list is built row by row, and later lists immediately. */
function createGrowth(end: Accessor<number>): Accessor<number> {
  const [count, setCount] = createSignal(0)
  createEffect(() => {
    if (count() < end()) void nextTask().then(() => setCount((before) => before + 1))
  })
  return count
}

function RowSkeleton() {
  return <div class="skeleton skeleton-row" />
}

function ModelRow(props: { model: Model; checked: boolean; onChoose(): void }) {
  return (
    <label class="model" classList={{ 'model-locked': props.model.locked }}>
      <input type="radio" name="model" checked={props.checked} onChange={() => props.onChoose()} />
      <Identicon seed={props.model.id} lines={2} class="model-identicon" />
      <span class="model-name">
        {props.model.name}
        <Show when={props.model.tier !== 'free'}>
          <span class="tier">
            <Show when={props.model.locked}>
              <Lock />
            </Show>
            {messages.tiers[props.model.tier]}
          </span>
        </Show>
      </span>
      <span class="model-about">{props.model.locked ? messages.lock[props.model.tier] : props.model.description}</span>
      <span class="model-price figures">{approximatePrice(props.model.estimatedCostUsdc)}</span>
      <span class="model-time figures">{formatSeconds(props.model.estimatedSeconds)}</span>
    </label>
  )
}

function Lock() {
  return (
    <svg class="lock" viewBox="0 0 16 16" width="12" height="12" role="img" aria-label={messages.lock.label}>
      <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" fill="none" stroke="currentColor" stroke-width="1.6" />
      <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
    </svg>
  )
}
