import { createEffect, Match, on, Switch } from 'solid-js'
import { messages } from '../messages/active.ts'
import { purchaseWords } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { lazyPart } from '../primitives/lazy-part.ts'
import { Identicon } from './identicon.tsx'
import { LazyPlace } from './lazy-place.tsx'

const Gallery = lazyPart(() => import('./gallery.tsx'))
const ResultPanelContent = lazyPart(() => import('./result-panel-content.tsx'), purchaseWords)

/** Where the result appears: empty at first, then the running purchase, then its result. */
export function ResultPanel(props: { composer: ComposerState }) {
  const app = useApp()
  let panel: HTMLElement | undefined
  // Move focus to the panel when something happens in it. On a phone it is below the form, and beside a long form its start may be above the view.
  createEffect(
    on(
      () => app.purchase().at,
      (at) => {
        if (!['paying', 'stopped', 'payer_left', 'awaiting_sign_in'].includes(at)) return
        setTimeout(() => {
          panel?.focus({ preventScroll: true })
          const top = panel?.getBoundingClientRect().top ?? 0
          if (top < 0 || top > innerHeight / 2) panel?.scrollIntoView({ block: 'start', behavior: scrollBehavior() })
        })
      },
      { defer: true },
    ),
  )
  const resultId = (): string | undefined => {
    const shown = app.shown()
    return shown?.at === 'done' ? shown.inference.id : undefined
  }
  return (
    <section class="result-panel" ref={panel} tabindex="-1" aria-label={messages.studio.result}>
      <Switch>
        <Match when={app.shown()}>
          {(shown) => (
            <LazyPlace placeholder={<EmptyState seed={props.composer.model()?.id ?? ''} />} resultId={resultId()}>
              <ResultPanelContent composer={props.composer} shown={shown()} />
            </LazyPlace>
          )}
        </Match>
        <Match when={true}>
          <LazyPlace placeholder={<EmptyState seed="coinslot" />}>
            <Gallery />
          </LazyPlace>
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

function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
}
