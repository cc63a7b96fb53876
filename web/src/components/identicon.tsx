import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { identicon } from '../lib/identicon.ts'

interface Props {
  /** Text that the lines are drawn from. */
  seed: string
  lines?: number
  /** Drawn so far, 0 to 1; whole when left out. */
  drawn?: number
  class?: string
}

/**
 * An engraved identicon: a picture without meaning of its own, so assistive technology skips it. It is drawn when the page has
 * nothing better to do; its place is kept until then.
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

/** True from the first idle moment on. */
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
