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
  // Reading goes on where something happens: in the bed, which on a phone is below the form.
  createEffect(
    on(
      () => app.purchase().at,
      (at) => {
        if (at !== 'paying' && at !== 'stopped') return
        setTimeout(() => {
          bed?.focus({ preventScroll: true })
          const isBelow = (bed?.getBoundingClientRect().top ?? 0) > innerHeight / 2
          if (isBelow) bed?.scrollIntoView({ block: 'start', behavior: calm() })
        })
      },
      { defer: true },
    ),
  )
  const busy = (): boolean => ['paying', 'elsewhere', 'held', 'done', 'stopped'].includes(app.purchase().at)
  return (
    <section class="bed" ref={bed} tabindex="-1" aria-label={words.studio.bed}>
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
      <Rosette seed={props.seed} lines={6} />
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
