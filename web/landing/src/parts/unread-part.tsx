import { Show } from 'solid-js'
import { messages } from '../messages/active.ts'
import { useSale } from '../sale-context.tsx'

/** Instead of a part that the node did not answer. Nothing before the first read, which the page announces itself. */
export function UnreadPart() {
  const { view } = useSale()
  return (
    <Show when={view.sale() !== null}>
      <p class="notice">{messages.unread}</p>
    </Show>
  )
}
