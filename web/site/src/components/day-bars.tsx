import { createMemo, For } from 'solid-js'
import { formatNumber } from '../../../shared/money.ts'
import { formatDay } from '../../../shared/time.ts'
import { pageMessages } from '../messages/active.ts'

const HEIGHT = 100
const SLOT = 12
const DAYS = 30

/** Runs per day as thin bars. The caption below says the same as text. */
export function DayBars(props: { days: { date: string; runs: number }[] }) {
  const days = createMemo(() => lastDays(props.days))
  const most = (): number => Math.max(1, ...days().map(({ runs }) => runs))
  const runs = (): string => pageMessages.stats.countRuns(most(), formatNumber(most()))
  return (
    <figure class="bars">
      <svg
        viewBox={`0 0 ${DAYS * SLOT} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={pageMessages.stats.perDayAlt(days().length, runs())}
      >
        <For each={days()}>
          {(day, index) => {
            const height = (): number => (day.runs === 0 ? 0 : Math.max(2, (day.runs / most()) * HEIGHT))
            return (
              <rect x={index() * SLOT + 3} y={HEIGHT - height()} width={SLOT - 6} height={height()}>
                <title>{`${formatDay(day.date)}: ${formatNumber(day.runs)}`}</title>
              </rect>
            )
          }}
        </For>
      </svg>
      <figcaption>
        <span>{formatDay(days()[0]?.date ?? '')}</span>
        <span>{pageMessages.stats.most(formatNumber(most()))}</span>
        <span>{formatDay(days().at(-1)?.date ?? '')}</span>
      </figcaption>
    </figure>
  )
}

/** The thirty days up to the last day with a run. Days without a run are zero. */
function lastDays(given: { date: string; runs: number }[]): { date: string; runs: number }[] {
  const runs = new Map(given.map((day) => [day.date.slice(0, 10), day.runs]))
  const last = new Date(`${[...runs.keys()].sort().at(-1)}T00:00:00Z`).getTime()
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(last - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10)
    return { date, runs: runs.get(date) ?? 0 }
  })
}
