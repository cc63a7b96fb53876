import { createMemo, For, Show } from 'solid-js'
import { compactAic, duration } from '../format.ts'
import { pageMessages } from '../messages.ts'
import { type Terms, type VestingPoint, vestedAt, vestingCurve } from '../model/vesting.ts'
import { ChartFrame, colourOf } from './chart-frame.tsx'
import { along, axisTop } from './scale.ts'

const WIDTH = 600
const HEIGHT = 100
const STEPS = 60
const ROWS = 12
const MONTH_SECONDS = 30 * 86_400

/** Time after the TGE in months of 30 days; in days and hours when it is less than one. */
const timeAfter = (seconds: number): string =>
  seconds === 0
    ? pageMessages.treasury.tge
    : seconds < MONTH_SECONDS
      ? duration(seconds)
      : pageMessages.treasury.months(Math.round(seconds / MONTH_SECONDS))

interface VestingChartProps {
  allocations: readonly { name: string; terms: Terms }[]
  /** Unix seconds; 0 when the TGE is not known. */
  tge: number
  now: number
}

/** The free part of each allocation over the time after the TGE, stacked. */
export function VestingChart(props: VestingChartProps) {
  const terms = createMemo(() => props.allocations.map((allocation) => allocation.terms))
  const points = createMemo(() => vestingCurve(terms(), STEPS))
  const span = () => points().at(-1)?.after ?? 1
  const most = () => terms().reduce((sum, { amount }) => sum + amount, 0n)
  const top = () => axisTop(most())
  const elapsed = () => (props.tge === 0 ? -1 : props.now - props.tge)
  const series = () => props.allocations.map(({ name }, index) => ({ name, colour: colourOf(index) }))
  const rows = () =>
    Array.from({ length: ROWS + 1 }, (_, index) => Math.round((span() * index) / ROWS)).map((after) => [
      timeAfter(after),
      ...terms().map((one) => compactAic(vestedAt(one, 1, 1 + after))),
    ])
  return (
    <ChartFrame
      series={series()}
      axis={[compactAic(top()), compactAic(top() / 2n), '0']}
      ends={[timeAfter(0), timeAfter(span())]}
      headings={[pageMessages.treasury.afterTge, ...props.allocations.map(({ name }) => name)]}
      rows={rows()}
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={pageMessages.treasury.vestingAlt(props.allocations.map(({ name }) => name).join(', '))}
      >
        <For each={series()}>
          {({ colour }, index) => <polygon class={colour} points={areaOf(points(), index(), span(), top())} />}
        </For>
        <Show when={elapsed() >= 0 && elapsed() <= span()}>
          <path class="chart-now" d={`M${(elapsed() / span()) * WIDTH} 0V${HEIGHT}`}>
            <title>{pageMessages.treasury.today}</title>
          </path>
        </Show>
      </svg>
    </ChartFrame>
  )
}

/** The outline of one stacked area. */
function areaOf(points: readonly VestingPoint[], index: number, span: number, top: bigint): string {
  const sumTo = ({ free }: VestingPoint, count: number): bigint =>
    free.slice(0, count).reduce((sum, amount) => sum + amount, 0n)
  const at = (point: VestingPoint, count: number): string =>
    `${((point.after / span) * WIDTH).toFixed(1)},${(HEIGHT - along(sumTo(point, count), top, HEIGHT)).toFixed(2)}`
  const upper = points.map((point) => at(point, index + 1))
  const lower = points.toReversed().map((point) => at(point, index))
  return [...upper, ...lower].join(' ')
}
