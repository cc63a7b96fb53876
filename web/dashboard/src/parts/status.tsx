import { Show } from 'solid-js'
import { networkOf } from '../../../shared/wallet/networks.ts'
import type { Dashboard } from '../create-dashboard.ts'
import { moment, number } from '../format.ts'
import { messages } from '../messages.ts'

/** Which block the figures are of, and everything that makes them incomplete or old. */
export function Status(props: { dashboard: Dashboard }) {
  const { config, view, trouble, readAt, deviceNow } = props.dashboard
  const network = networkOf(config.chainId).name
  const age = () => deviceNow() - Math.floor(readAt() / 1_000)
  return (
    <div class="status">
      <p class="status-line figures" data-block={view()?.head.number.toString()}>
        <span class="status-dot" classList={{ 'status-bad': trouble() !== null }} aria-hidden="true" />
        <Show when={view()} fallback={messages.status.reading(network)}>
          {(shown) => (
            <>
              {messages.status.live(network, number(shown().head.number))}
              <span class="status-age">{messages.status.ago(Math.max(0, age()))}</span>
            </>
          )}
        </Show>
      </p>
      <div class="status-notices" role="status">
        <Show when={trouble()}>
          {(fault) => (
            <p class="notice notice-bad">
              {messages.status[fault().kind](fault().message)}{' '}
              <Show when={fault().kind === 'unreachable' && view() !== null}>
                {messages.status.kept(moment(readAt() / 1_000))}{' '}
              </Show>
              {messages.status.retry}
            </p>
          )}
        </Show>
        <Show when={view()?.state.fault}>
          {(reason) => <p class="notice notice-bad">{messages.status.unread(reason())}</p>}
        </Show>
        <Show when={view()?.eventsFrom}>
          {(from) => (
            <p class="notice">
              {messages.status.partial(number(from()), number(view()?.blocksPerCall ?? 0n))}{' '}
              <Show when={!view()?.hasAllPurchases}>{messages.status.purchasesMissing}</Show>
            </p>
          )}
        </Show>
        <Show when={view()?.dropped}>{(count) => <p class="as-of">{messages.status.dropped(count())}</p>}</Show>
      </div>
    </div>
  )
}
