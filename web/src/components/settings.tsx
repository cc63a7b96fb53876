import { createSignal, Show } from 'solid-js'
import { messages } from '../messages/en.ts'
import type { ComposerState } from '../primitives/create-composer.ts'
import { lazyPart } from '../primitives/lazy-part.ts'
import { LazyPlace } from './lazy-place.tsx'

const SettingsGrid = lazyPart(() => import('./settings-grid.tsx'))

/** The model's other inputs, collapsed at first. Their controls are loaded when they are opened. */
export function Settings(props: { composer: ComposerState }) {
  const [opened, setOpened] = createSignal(false)
  return (
    <Show when={(props.composer.form()?.settings.length ?? 0) > 0}>
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
