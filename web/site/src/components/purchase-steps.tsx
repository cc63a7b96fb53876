import { For } from 'solid-js'
import { buysWithoutSiteData } from '../../../shared/storage.ts'
import { pageMessages, purchaseMessages } from '../messages/active.ts'

/** What a step costs, in brackets. It is left out when the step is done. */
const NOTE = /\s*[(（].*/

/** The confirmations of a purchase: connect, sign in, pay. `now` is the index of the present one. */
export function Steps(props: { now: number }) {
  const labelOf = (index: number, name: string): string =>
    index === 1 && buysWithoutSiteData() ? pageMessages.withoutSiteData.step : name
  return (
    <ol class="steps" aria-label={purchaseMessages.steps.label}>
      <For each={purchaseMessages.steps.names}>
        {(name, index) => (
          <li
            classList={{ 'step-done': index() < props.now }}
            aria-current={index() === props.now ? 'step' : undefined}
          >
            {index() < props.now ? labelOf(index(), name).replace(NOTE, '') : labelOf(index(), name)}
          </li>
        )}
      </For>
    </ol>
  )
}
