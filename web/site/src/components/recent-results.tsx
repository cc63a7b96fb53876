import { excerptOf } from '@coinslot/client/excerpt'
import { For, Match, Show, Switch } from 'solid-js'
import { safeUrl } from '../../../shared/files.ts'
import { getJson } from '../lib/api.ts'

import { type Inference, promptOf, readInferencePage } from '../lib/records/inference.ts'
import { purchaseMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'
import { Identicon } from './identicon.tsx'

const SHOWN = 6

/** The last results of this wallet, under the present one. */
export default function RecentResults(props: { without: string }) {
  const app = useApp()
  const page = createValue(
    () => (app.identity.session() ? `${app.identity.session()?.address} ${app.version()}` : null),
    () => getJson(`/api/inferences?limit=${SHOWN + 1}`, readInferencePage),
  )
  const items = (): Inference[] =>
    page()
      ?.items.filter(({ id }) => id !== props.without)
      .slice(0, SHOWN) ?? []
  return (
    <Show when={items().length > 0}>
      <section class="recent">
        <h2>{purchaseMessages.result.recent}</h2>
        <ul>
          <For each={items()}>{(item) => <Thumbnail item={item} />}</For>
        </ul>
      </section>
    </Show>
  )
}

function Thumbnail(props: { item: Inference }) {
  const picture = (): string | null => {
    const { output } = props.item
    const url = output?.type === 'image' ? output.urls[0] : undefined
    return url === undefined ? null : safeUrl(url)
  }
  const prompt = (): string => excerptOf(promptOf(props.item), 60) || props.item.id
  const text = (): string | null => (props.item.output?.type === 'text' ? props.item.output.text : null)
  return (
    <li>
      <a class="recent-link" href={at(`/i/${props.item.id}`)} dir="auto">
        <Switch
          fallback={
            <>
              <Identicon seed={props.item.metrics.paymentTxHash ?? props.item.id} lines={3} />
              <span class="visually-hidden">{prompt()}</span>
            </>
          }
        >
          <Match when={picture()}>{(url) => <img src={url()} alt={prompt()} loading="lazy" decoding="async" />}</Match>
          <Match when={text()}>{(whole) => <span>{excerptOf(whole(), 60)}</span>}</Match>
        </Switch>
      </a>
    </li>
  )
}
