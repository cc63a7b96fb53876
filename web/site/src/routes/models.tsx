import { For, Show } from 'solid-js'
import { approximatePrice, formatDecimal } from '../../../shared/money.ts'
import { formatSeconds } from '../../../shared/time.ts'
import { Identicon } from '../components/identicon.tsx'
import { LazyPlace, NotLoaded } from '../components/lazy-place.tsx'
import { Title } from '../components/shell.tsx'
import { type Model, TASKS } from '../lib/records/models.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { lazyPart } from '../primitives/lazy-part.ts'

const Gallery = lazyPart(() => import('../components/gallery.tsx'))

/** The catalogue: each model's description, time, and price for this account. */
export default function Models() {
  const app = useApp()
  const of = (task: string): Model[] => app.models()?.filter((model) => model.task === task) ?? []
  return (
    <section class="page page-wide">
      <Title>{pageMessages.titles.models}</Title>
      <h1>{pageMessages.models.title}</h1>
      <p class="lead">{pageMessages.models.intro}</p>
      <Show when={app.models.failed() && app.models() === undefined}>
        <NotLoaded text={messages.studio.modelsFailed} onRetry={app.models.reload} />
      </Show>
      <LazyPlace placeholder={<div class="made made-wait" />}>
        <Gallery />
      </LazyPlace>
      <Show when={app.models()} fallback={<div class="skeleton skeleton-page" />}>
        <Show when={app.models()?.some(({ isStandIn }) => isStandIn)}>
          <p class="stand-in">{messages.studio.standIn}</p>
        </Show>
        <For each={TASKS}>
          {(task) => (
            <section class="catalogue">
              <h2>{messages.tasks[task]}</h2>
              <ul>
                <For each={of(task)}>{(model) => <Entry model={model} />}</For>
              </ul>
            </section>
          )}
        </For>
      </Show>
    </section>
  )
}

function Entry(props: { model: Model }) {
  return (
    <li class="entry" classList={{ 'model-locked': props.model.locked }}>
      <Identicon seed={props.model.id} lines={2} />
      <div class="entry-words">
        <h3>{props.model.name}</h3>
        <p>{props.model.description}</p>
        <p class="entry-id figures">{props.model.id}</p>
      </div>
      <p class="entry-tier">
        {props.model.tier === 'free'
          ? pageMessages.models.open
          : pageMessages.models.tier(messages.tiers[props.model.tier], messages.lock[props.model.tier])}
      </p>
      <p class="entry-price">
        <span class="figures">{approximatePrice(props.model.estimatedCostUsdc)}</span>
        <small class="figures">{messages.common.usdc(formatDecimal(props.model.estimatedCostUsdc))}</small>
        <small>{pageMessages.models.typical(formatSeconds(props.model.estimatedSeconds))}</small>
      </p>
      <a
        class="button button-quiet"
        href={at(`/#model=${encodeURIComponent(props.model.id)}`)}
        aria-label={pageMessages.models.useNamed(props.model.name)}
      >
        {pageMessages.models.use}
      </a>
    </li>
  )
}
