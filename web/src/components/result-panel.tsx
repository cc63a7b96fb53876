import { createEffect, lazy, Match, on, Suspense, Switch } from 'solid-js'
import { messages } from '../messages/en.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { Identicon } from './identicon.tsx'

const ResultPanelContent = lazy(() => import('./result-panel-content.tsx'))

/** Where the result appears: an empty plate, the purchase under way, or what came out of it. */
export function ResultPanel(props: { composer: ComposerState }) {
  const app = useApp()
  let panel: HTMLElement | undefined
  // Reading goes on where something happens: in the panel, which on a phone is below the form.
  createEffect(
    on(
      () => app.purchase().at,
      (at) => {
        if (at !== 'paying' && at !== 'stopped') return
        setTimeout(() => {
          panel?.focus({ preventScroll: true })
          const isBelow = (panel?.getBoundingClientRect().top ?? 0) > innerHeight / 2
          if (isBelow) panel?.scrollIntoView({ block: 'start', behavior: calm() })
        })
      },
      { defer: true },
    ),
  )
  const busy = (): boolean => ['paying', 'other_tab', 'awaiting_sign_in', 'done', 'stopped'].includes(app.purchase().at)
  return (
    <section class="result-panel" ref={panel} tabindex="-1" aria-label={messages.studio.result}>
      <Switch>
        <Match when={busy()}>
          <Suspense fallback={<EmptyState seed={props.composer.model()?.id ?? ''} />}>
            <ResultPanelContent composer={props.composer} />
          </Suspense>
        </Match>
        <Match when={true}>
          <EmptyState seed={props.composer.model()?.id ?? 'coinslot'} />
        </Match>
      </Switch>
    </section>
  )
}

function EmptyState(props: { seed: string }) {
  return (
    <div class="empty-state">
      <Identicon seed={props.seed} lines={6} />
      <p>
        <strong>{messages.studio.resultEmpty}</strong>
        <br />
        {messages.studio.resultHint}
      </p>
    </div>
  )
}

function calm(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
}
