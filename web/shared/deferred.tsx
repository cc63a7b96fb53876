import { createSignal, type JSX, type ParentProps, Show } from 'solid-js'
import { enqueue } from './task-queue.ts'

/** Builds its children in a separate task while the first page is built, and immediately after that. `placeholder` is shown until then. */
export function Deferred(props: ParentProps<{ placeholder?: JSX.Element }>) {
  const [isHere, setHere] = createSignal(false)
  enqueue(() => setHere(true))
  return (
    <Show when={isHere()} fallback={props.placeholder}>
      {props.children}
    </Show>
  )
}
