import { Match, Show, Switch } from 'solid-js'
import { excerptOf, safeUrl } from '../lib/browser.ts'
import { formatDecimal } from '../lib/money.ts'

import { type Inference, promptOf } from '../lib/records/inference.ts'
import { formatMoment } from '../lib/time.ts'
import { messages, pageMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { RefundLine } from './charged-note.tsx'
import { Identicon } from './identicon.tsx'

/** One result in the history: its picture, text or identicon, a line about it, and the state of a refund. */
export function ResultCard(props: { inference: Inference; modelName: string }) {
  const output = () => props.inference.output
  const picture = (): string | null => {
    const found = output()
    const [url] = found?.type === 'image' ? found.urls : []
    return url === undefined ? null : safeUrl(url)
  }
  const text = (): string | null => {
    const found = output()
    return found?.type === 'text' ? found.text : null
  }
  const title = (): string => promptOf(props.inference) || messages.tasks[props.inference.task ?? 'text-to-image']
  return (
    <div>
      <a class="card" href={at(`/i/${props.inference.id}`)}>
        <div class="card-face">
          <Switch fallback={<Identicon seed={props.inference.metrics.paymentTxHash ?? props.inference.id} lines={4} />}>
            <Match when={picture()}>{(url) => <img src={url()} alt="" loading="lazy" decoding="async" />}</Match>
            <Match when={text()}>{(whole) => <p dir="auto">{excerptOf(whole(), 220)}</p>}</Match>
          </Switch>
          <Show when={props.inference.status !== 'succeeded'}>
            <span class={`state state-${props.inference.status}`}>
              {pageMessages.history.statuses[props.inference.status]}
            </span>
          </Show>
        </div>
        <p class="card-title" dir="auto">
          {title()}
        </p>
        <p class="card-foot">
          <bdi>{props.modelName}</bdi>
          <Show when={props.inference.metrics.estimatedCostUsdc}>
            {(cost) => <span class="figures">{messages.common.usdc(formatDecimal(cost()))}</span>}
          </Show>
        </p>
        <Show when={props.inference.createdAt}>{(at) => <p class="card-time">{formatMoment(at())}</p>}</Show>
      </a>
      <Show when={props.inference.refund}>
        {(refund) => (
          <p class="card-refund">
            <RefundLine refund={refund()} network={props.inference.metrics.paymentNetwork} />
          </p>
        )}
      </Show>
    </div>
  )
}
