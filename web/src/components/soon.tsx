import { createSignal, onCleanup, type ParentProps, Show } from 'solid-js'

let isStarting = true

/** To be called once the first page was begun: from then on everything is drawn at once. */
export function endStart(): void {
  isStarting = false
}

/**
 * While the site starts, draws its children in a task of their own, in the order in which they stand on the page: a phone takes
 * too long over all of it to leave a tap waiting meanwhile.
 */
export function Soon(props: ParentProps) {
  const [due, setDue] = createSignal(!isStarting)
  if (!due()) {
    const timer = setTimeout(() => setDue(true))
    onCleanup(() => clearTimeout(timer))
  }
  return <Show when={due()}>{props.children}</Show>
}
