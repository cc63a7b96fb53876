import { createMemo, For } from 'solid-js'
import type { Terms } from '../chain/read-sale.ts'
import { moment, percent, span } from '../format.ts'
import { messages } from '../messages/active.ts'
import { useSale } from '../sale-context.tsx'

const WIDTH = 300
const HEIGHT = 100
const ALL_BPS = 10_000

/** How much of bought AIC is free over time, drawn and in words. */
export function Schedule(props: { terms: Terms }) {
  const { view } = useSale()
  /** Corners of the line: at the TGE, at the cliff, at the end. */
  const corners = createMemo(() => {
    const { tgeBps, cliff, duration } = props.terms
    const whole = Math.max(1, cliff + duration)
    const at = (seconds: number, bps: number) => [(seconds / whole) * WIDTH, HEIGHT - (bps / ALL_BPS) * HEIGHT] as const
    return [at(0, tgeBps), at(cliff, tgeBps), at(cliff + duration, ALL_BPS)]
  })
  const line = (): string =>
    corners()
      .map(([x, y]) => `${x},${y}`)
      .join(' ')
  return (
    <>
      <h2>{messages.schedule.title}</h2>
      <p>{messages.schedule.text(percent(props.terms.tgeBps), span(props.terms.cliff), span(props.terms.duration))}</p>
      <p>{view.tge() === 0 ? messages.schedule.late : messages.claim.atTge(moment(view.tge()))}</p>
      <svg
        class="schedule"
        viewBox={`-4 -6 ${WIDTH + 8} ${HEIGHT + 12}`}
        role="img"
        aria-label={messages.schedule.drawing}
      >
        <polygon points={`0,${HEIGHT} ${line()} ${WIDTH},${HEIGHT}`} class="schedule-area" />
        <polyline points={line()} class="schedule-line" />
        <For each={corners()}>{([x, y]) => <circle cx={x} cy={y} r="3" class="schedule-dot" />}</For>
      </svg>
    </>
  )
}
