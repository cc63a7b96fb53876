import { createSignal, type ParentProps, Show } from 'solid-js'
import { enqueue } from '../primitives/task-queue.ts'

/** Builds its children in their own turn while the first page is made, and at once ever after. */
export function Deferred(props: ParentProps) {
  const [isHere, setHere] = createSignal(false)
  enqueue(() => setHere(true))
  return <Show when={isHere()}>{props.children}</Show>
}
