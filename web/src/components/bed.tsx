import { createEffect, lazy, Match, on, Suspense, Switch } from 'solid-js'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { words } from '../words/en.ts'
import { Rosette } from './rosette.tsx'

const BedContent = lazy(() => import('./bed-content.tsx'))

/** Where the result appears: an empty plate, the purchase under way, or what came out of it. */
export function Bed(props: { composer: ComposerState }) {
  const app = useApp()
  let bed: HTMLElement | undefined
  // On a phone the bed is below the form: it comes into view when something happens there.
  createEffect(
    on(
      () => app.purchase().at,
      (at, before) => {
        const starts = at === 'paying' && before !== 'paying'
        if (starts || at === 'stopped' || at === 'held') bed?.scrollIntoView({ block: 'nearest', behavior: calm() })
      },
      { defer: true },
    ),
  )
  const busy = (): boolean => ['paying', 'elsewhere', 'held', 'done', 'stopped'].includes(app.purchase().at)
  return (
    <section class="bed" ref={bed} aria-label={words.studio.bed}>
      <Switch>
        <Match when={busy()}>
          <Suspense fallback={<Plate seed={props.composer.model()?.id ?? ''} />}>
            <BedContent composer={props.composer} />
          </Suspense>
        </Match>
        <Match when={true}>
          <Plate seed={props.composer.model()?.id ?? 'coinslot'} />
        </Match>
      </Switch>
    </section>
  )
}

function Plate(props: { seed: string }) {
  return (
    <div class="plate">
      <Rosette seed={props.seed} lines={5} />
      <p>
        <strong>{words.studio.bedEmpty}</strong>
        <br />
        {words.studio.bedHint}
      </p>
    </div>
  )
}

function calm(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
}
