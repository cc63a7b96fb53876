import { createMemo, For } from 'solid-js'
import { formatDay } from '../lib/time.ts'
import { LANGUAGE, words } from '../words/en.ts'

const HEIGHT = 120
const SLOT = 24

/** Runs per day as thin bars, drawn by hand; the figures themselves are in a table for assistive technology. */
export function DayBars(props: { days: { date: string; runs: number }[] }) {
  const days = createMemo(() => [...props.days].sort((a, b) => a.date.localeCompare(b.date)).slice(-30))
  const most = (): number => Math.max(1, ...days().map(({ runs }) => runs))
  const count = new Intl.NumberFormat(LANGUAGE)
  const width = (): number => Math.max(days().length, 12) * SLOT
  return (
    <figure class="bars">
      <svg
        viewBox={`0 0 ${width()} ${HEIGHT + 24}`}
        role="img"
        aria-label={words.stats.perDayAlt(days().length, count.format(most()))}
      >
        <line x1="0" x2={width()} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} class="bars-base" />
        <For each={days()}>
          {(day, index) => {
            const height = (): number => Math.max(day.runs === 0 ? 0 : 2, (day.runs / most()) * (HEIGHT - 18))
            return (
              <g>
                <title>{`${formatDay(day.date)}: ${count.format(day.runs)}`}</title>
                <rect x={index() * SLOT + 6} y={HEIGHT - height()} width={SLOT - 12} height={height()} rx="1" />
                <text x={index() * SLOT + SLOT / 2} y={HEIGHT - height() - 5} text-anchor="middle">
                  {day.runs === most() || days().length <= 8 ? count.format(day.runs) : ''}
                </text>
              </g>
            )
          }}
        </For>
        <text x="2" y={HEIGHT + 18} class="bars-date">
          {formatDay(days()[0]?.date ?? '')}
        </text>
        <text x={days().length * SLOT - 2} y={HEIGHT + 18} text-anchor="end" class="bars-date">
          {days().length > 3 ? formatDay(days().at(-1)?.date ?? '') : ''}
        </text>
      </svg>
    </figure>
  )
}
