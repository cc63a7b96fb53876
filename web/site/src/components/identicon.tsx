import { createEffect, createMemo, createSignal, For, onMount, Show } from 'solid-js'

type Draw = typeof import('../lib/identicon.ts')['identicon']

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
  const draw = createDraw()
  const lines = createMemo(() => draw()?.(props.seed, props.lines ?? 3) ?? [])
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

/** The drawing function. Its code is loaded when the browser is idle, and each pattern is drawn when it is idle again. */
function createDraw(): () => Draw | undefined {
  const [draw, setDraw] = createSignal<Draw>()
  const load = async (): Promise<void> => {
    await idle()
    const { identicon } = await import('../lib/identicon.ts')
    await idle()
    setDraw(() => identicon)
  }
  // Without its code the pattern stays empty: it is only decoration.
  onMount(() => void load().catch(() => undefined))
  return draw
}

/** Resolves when the browser is idle. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 1500 })
    else setTimeout(resolve, 50)
  })
}
