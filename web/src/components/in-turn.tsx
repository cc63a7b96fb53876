import { createSignal, type ParentProps, Show } from 'solid-js'
import { inTurn } from '../primitives/turns.ts'

/** Builds its children in their own turn while the first page is made, and at once ever after. */
export function InTurn(props: ParentProps) {
  const [isHere, setHere] = createSignal(false)
  inTurn(() => setHere(true))
  return <Show when={isHere()}>{props.children}</Show>
}
