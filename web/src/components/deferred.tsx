import { createSignal, type ParentProps, Show } from 'solid-js'
import { enqueue } from '../primitives/task-queue.ts'

/** Builds its children in a separate task while the first page is built, and immediately after that. */
export function Deferred(props: ParentProps) {
  const [isHere, setHere] = createSignal(false)
  enqueue(() => setHere(true))
  return <Show when={isHere()}>{props.children}</Show>
}
