import { onMount, Show } from 'solid-js'
import { messages, pageMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'

/** Says what to allow. A purchase can go through without it. */
export default function SiteDataBlocked(props: { canBuy: boolean }) {
  const app = useApp()
  let first: HTMLButtonElement | undefined
  onMount(() => first?.focus())
  return (
    <>
      <h2 id="payment-dialog-title">{pageMessages.withoutSiteData.title}</h2>
      <p>{pageMessages.withoutSiteData.why}</p>
      <p>{pageMessages.withoutSiteData.help}</p>
      <Show when={props.canBuy}>
        <p>{pageMessages.withoutSiteData.offer}</p>
      </Show>
      <div class="actions">
        <button
          type="button"
          class="button"
          ref={first}
          onClick={() => void app.buy((actions) => actions.cancel(null))}
        >
          {messages.common.close}
        </button>
        <Show when={props.canBuy}>
          <button
            type="button"
            class="button button-quiet"
            onClick={() => void app.buy((actions) => actions.withoutSiteData())}
          >
            {pageMessages.withoutSiteData.buy}
          </button>
        </Show>
      </div>
    </>
  )
}
