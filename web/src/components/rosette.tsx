import { createEffect, createMemo, For, Show } from 'solid-js'
import { rosette } from '../lib/rosette.ts'

interface Props {
  /** Text that the lines are drawn from. */
  seed: string
  lines?: number
  /** Drawn so far, 0 to 1; whole when left out. */
  drawn?: number
  class?: string
}

/** An engraved rosette: a picture without meaning of its own, so assistive technology skips it. */
export function Rosette(props: Props) {
  const lines = createMemo(() => rosette(props.seed, props.lines ?? 3))
  let svg: SVGSVGElement | undefined
  createEffect(() => svg?.style.setProperty('--drawn', String(props.drawn ?? 1)))
  return (
    <svg
      ref={svg}
      class={`rosette ${props.class ?? ''}`}
      classList={{ 'rosette-drawing': props.drawn !== undefined }}
      viewBox="-100 -100 200 200"
      aria-hidden="true"
    >
      <Show when={props.drawn !== undefined}>
        <g class="rosette-ghost">
          <For each={lines()}>{(line) => <path d={line} />}</For>
        </g>
      </Show>
      <g>
        <For each={lines()}>{(line) => <path d={line} pathLength="1" />}</For>
      </g>
    </svg>
  )
}
