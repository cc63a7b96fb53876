import { createSignal, createUniqueId, For, Show } from 'solid-js'
import type { Field } from '../lib/json-schema.ts'
import { messages } from '../messages/active.ts'
import { COUNT, type ComposerState } from '../primitives/create-composer.ts'
import { lazyPart } from '../primitives/lazy-part.ts'
import { LazyPlace } from './lazy-place.tsx'

const SettingsGrid = lazyPart(() => import('./settings-grid.tsx'))

/** The model's other inputs, collapsed at first. Their controls are loaded when they are opened. */
export function Settings(props: { composer: ComposerState }) {
  const [opened, setOpened] = createSignal(false)
  return (
    <Show when={props.composer.form()?.settings.some(({ name }) => !QUICK.includes(name))}>
      <details
        class="settings"
        onToggle={(event) => {
          if (event.currentTarget.open) setOpened(true)
        }}
      >
        <summary>{messages.studio.settings}</summary>
        <Show when={opened()}>
          <LazyPlace placeholder={<div class="skeleton skeleton-row" />}>
            <SettingsGrid composer={props.composer} />
          </LazyPlace>
        </Show>
      </details>
    </Show>
  )
}

/** The settings that stand beside the prompt, without opening the others. */
export const QUICK = ['aspect_ratio', COUNT]

/** Aspect ratio and number of pictures, if the model has them. */
export function QuickSettings(props: { composer: ComposerState }) {
  const fields = () => props.composer.form()?.settings.filter(({ name }) => QUICK.includes(name)) ?? []
  return (
    <div class="quick-settings" classList={{ 'quick-settings-empty': fields().length === 0 }}>
      <For each={fields()}>{(field) => <QuickSetting composer={props.composer} field={field} />}</For>
    </div>
  )
}

function QuickSetting(props: { composer: ComposerState; field: Field }) {
  const id = createUniqueId()
  const value = (): string =>
    String(props.composer.values()[props.field.name] ?? (props.field.kind === 'seed' ? '' : props.field.initial))
  return (
    <div class="quick-setting">
      <label for={id}>{props.field.title}</label>
      <select id={id} onChange={(event) => props.composer.setValue(props.field.name, event.currentTarget.value)}>
        <For each={choicesOf(props.field)}>
          {(choice) => (
            <option value={choice} selected={choice === value()}>
              {choice}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}

function choicesOf(field: Field): string[] {
  if (field.kind === 'choice') return field.values
  if (field.kind !== 'number') return []
  const first = field.min ?? 1
  return Array.from({ length: (field.max ?? first) - first + 1 }, (_, index) => String(first + index))
}
