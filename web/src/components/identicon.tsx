import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { identicon } from '../lib/identicon.ts'

interface Props {
  /** Text that the lines are drawn from. */
  seed: string
  lines?: number
  /** How much is drawn, 0 to 1. Default: all. */
  drawn?: number
  class?: string
}

/**
 * A decorative pattern, hidden from assistive technology. It is drawn when the browser is idle. Its space is reserved until then.
 */
export function Identicon(props: Props) {
  const idle = createIdle()
  const lines = createMemo(() => (idle() ? identicon(props.seed, props.lines ?? 3) : []))
  let svg: SVGSVGElement | undefined
  createEffect(() => svg?.style.setProperty('--drawn', String(props.drawn ?? 1)))
  return (
    <svg
      ref={svg}
      class={`identicon ${props.class ?? ''}`}
      classList={{ 'identicon-drawing': props.drawn !== undefined }}
      viewBox="-1000 -1000 2000 2000"
      aria-hidden="true"
    >
      <Show when={props.drawn !== undefined} fallback={<path d={lines().join('')} />}>
        <path class="identicon-ghost" d={lines().join('')} />
        <g>
          <For each={lines()}>{(line) => <path d={line} pathLength="1" />}</For>
        </g>
      </Show>
    </svg>
  )
}

/** True after the browser was idle once. */
function createIdle(): () => boolean {
  const [idle, setIdle] = createSignal(false)
  onMount(() => {
    if (typeof requestIdleCallback === 'function') {
      const handle = requestIdleCallback(() => setIdle(true), { timeout: 1500 })
      onCleanup(() => cancelIdleCallback(handle))
    } else {
      const timer = setTimeout(() => setIdle(true), 50)
      onCleanup(() => clearTimeout(timer))
    }
  })
  return idle
}
