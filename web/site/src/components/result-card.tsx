import { excerptOf } from '@coinslot/client/excerpt'
import { createSignal, Match, onCleanup, Show, Switch } from 'solid-js'
import { safeUrl } from '../../../shared/files.ts'
import { formatDecimal } from '../../../shared/money.ts'
import { formatMoment } from '../../../shared/time.ts'
import { type Inference, promptOf } from '../lib/records/inference.ts'
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
  const { isNear, watch: face } = createNear()
  /** Then its identicon is shown. */
  const [isLost, setLost] = createSignal(false)
  const title = (): string => promptOf(props.inference) || messages.tasks[props.inference.task ?? 'text-to-image']
  return (
    <div>
      <a class="card" href={at(`/i/${props.inference.id}`)}>
        <div class="card-face" ref={face}>
          <Switch fallback={<Identicon seed={props.inference.metrics.paymentTxHash ?? props.inference.id} lines={4} />}>
            <Match when={!isLost() && picture()}>
              {(url) => (
                <Show when={isNear()}>
                  <img src={url()} alt="" decoding="async" onError={() => setLost(true)} />
                </Show>
              )}
            </Match>
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

/**
 * True from when an element first comes near the view. Browsers load a lazy picture from up to 2,500 pixels away, on a slow line
 * from the farthest, which is most of the history on a phone.
 */
function createNear() {
  const [isNear, setNear] = createSignal(false)
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setNear(true)
      observer.disconnect()
    },
    { rootMargin: '200px' },
  )
  onCleanup(() => observer.disconnect())
  return { isNear, watch: (element: Element) => observer.observe(element) }
}
