import { createMemo, For } from 'solid-js'
import { formatDay } from '../lib/time.ts'
import { LANGUAGE, words } from '../words/en.ts'

const HEIGHT = 120
const SLOT = 24
const DAYS = 30

/** Runs per day as thin bars, drawn by hand; the figures themselves are in a table for assistive technology. */
export function DayBars(props: { days: { date: string; runs: number }[] }) {
  const days = createMemo(() => lastDays(props.days))
  const most = (): number => Math.max(1, ...days().map(({ runs }) => runs))
  const count = new Intl.NumberFormat(LANGUAGE)
  const width = DAYS * SLOT
  return (
    <figure class="bars">
      <svg
        viewBox={`0 0 ${width} ${HEIGHT + 24}`}
        role="img"
        aria-label={words.stats.perDayAlt(days().length, count.format(most()))}
      >
        <line x1="0" x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} class="bars-base" />
        <For each={days()}>
          {(day, index) => {
            const height = (): number => Math.max(day.runs === 0 ? 0 : 2, (day.runs / most()) * (HEIGHT - 18))
            return (
              <g>
                <title>{`${formatDay(day.date)}: ${count.format(day.runs)}`}</title>
                <rect x={index() * SLOT + 6} y={HEIGHT - height()} width={SLOT - 12} height={height()} rx="1" />
                <text x={index() * SLOT + SLOT / 2} y={HEIGHT - height() - 5} text-anchor="middle">
                  {day.runs > 0 && day.runs === most() ? count.format(day.runs) : ''}
                </text>
              </g>
            )
          }}
        </For>
        <text x="2" y={HEIGHT + 18} class="bars-date">
          {formatDay(days()[0]?.date ?? '')}
        </text>
        <text x={width - 2} y={HEIGHT + 18} text-anchor="end" class="bars-date">
          {formatDay(days().at(-1)?.date ?? '')}
        </text>
      </svg>
    </figure>
  )
}

/** The thirty days up to the last one there is, days without a run as zero. */
function lastDays(given: { date: string; runs: number }[]): { date: string; runs: number }[] {
  const runs = new Map(given.map((day) => [day.date.slice(0, 10), day.runs]))
  const last = new Date(`${[...runs.keys()].sort().at(-1)}T00:00:00Z`).getTime()
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(last - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10)
    return { date, runs: runs.get(date) ?? 0 }
  })
}
