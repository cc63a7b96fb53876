import { createSignal, lazy, Show, Suspense } from 'solid-js'
import { messages } from '../messages/en.ts'
import type { ComposerState } from '../primitives/create-composer.ts'

const SettingsGrid = lazy(() => import('./settings-grid.tsx'))

/** The model's further inputs, folded away until they are wanted; their controls are loaded then. */
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
          <Suspense fallback={<div class="skeleton skeleton-row" />}>
            <SettingsGrid composer={props.composer} />
          </Suspense>
        </Show>
      </details>
    </Show>
  )
}
