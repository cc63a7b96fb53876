import { For } from 'solid-js'
import { buysWithoutSiteData } from '../lib/storage.ts'
import { pageMessages, purchaseMessages } from '../messages/active.ts'

/** The confirmations of a purchase: connect, sign in, pay. `now` is the index of the present one. */
export function Steps(props: { now: number }) {
  return (
    <ol class="steps" aria-label={purchaseMessages.steps.label}>
      <For each={purchaseMessages.steps.names}>
        {(name, index) => (
          <li
            classList={{ 'step-done': index() < props.now }}
            aria-current={index() === props.now ? 'step' : undefined}
          >
            {index() === 1 && buysWithoutSiteData() ? pageMessages.withoutSiteData.step : name}
          </li>
        )}
      </For>
    </ol>
  )
}
