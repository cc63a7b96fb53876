import { createMemo, For, Show } from 'solid-js'
import { formatDay } from '../../../shared/time.ts'
import { messages } from '../messages.ts'
import type { Bucket, Buckets } from '../model/days.ts'
import { ChartFrame, type Series } from './chart-frame.tsx'
import { along, axisTop, largest, sumOf } from './scale.ts'

const SLOT = 12
const BAR = 8
const HEIGHT = 100
/** With fewer bars than this, the rest of the width stays empty, so that a bar is not as wide as the page. */
const LEAST_SLOTS = 14

interface BarChartProps {
  buckets: Buckets
  series: readonly Series[]
  /** The whole chart in one sentence. */
  label: string
  /** Amounts with every digit, for the table. */
  exact(amount: bigint): string
  /** Amounts for the axis. */
  short(amount: bigint): string
  /** Draws the running sum as a line, on its separate scale. */
  hasLine?: boolean
}

/** Sums by day or week as stacked bars, with the same numbers as a table. */
export function BarChart(props: BarChartProps) {
  const list = () => props.buckets.list
  const slots = () => Math.max(LEAST_SLOTS, list().length)
  const top = createMemo(() => axisTop(largest(list().map(sumOf))))
  const total = () => list().at(-1)?.running ?? 0n
  const ends = () => {
    const [first, last] = [list()[0], list().at(-1)].map((bucket) => formatDay(bucket?.date ?? ''))
    if (list().length >= LEAST_SLOTS) return [first ?? '', last ?? '']
    return [first === last ? (first ?? '') : `${first} – ${last}`]
  }
  const headings = () => [
    messages.chart[props.buckets.unit],
    ...props.series.map(({ name }) => name),
    ...(props.series.length > 1 ? [messages.chart.total] : []),
    ...(props.hasLine ? [messages.chart.running] : []),
  ]
  const rows = () =>
    list()
      .map((bucket) => [
        formatDay(bucket.date),
        ...bucket.parts.map(props.exact),
        ...(props.series.length > 1 ? [props.exact(sumOf(bucket))] : []),
        ...(props.hasLine ? [props.exact(bucket.running)] : []),
      ])
      .reverse()
  return (
    <ChartFrame
      series={props.series}
      line={props.hasLine ? `${messages.chart.running}: ${props.short(total())}` : undefined}
      axis={[props.short(top()), props.short(top() / 2n), '0']}
      ends={ends()}
      headings={headings()}
      rows={rows()}
    >
      <svg viewBox={`0 0 ${slots() * SLOT} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={props.label}>
        <For each={list()}>
          {(bucket, index) => (
            <Bar bucket={bucket} index={index()} top={top()} series={props.series} exact={props.exact} />
          )}
        </For>
        <Show when={props.hasLine}>
          <polyline
            class="chart-line"
            points={list()
              .map(
                ({ running }, index) =>
                  `${index * SLOT + SLOT / 2},${HEIGHT - along(running, total(), HEIGHT - 2) - 1}`,
              )
              .join(' ')}
          />
        </Show>
      </svg>
    </ChartFrame>
  )
}

interface BarProps {
  bucket: Bucket
  index: number
  top: bigint
  series: readonly Series[]
  exact(amount: bigint): string
}

function Bar(props: BarProps) {
  const parts = createMemo(() => {
    let below = 0n
    return props.bucket.parts.map((amount, series) => {
      below += amount
      return { series, amount, y: HEIGHT - along(below, props.top, HEIGHT), height: along(amount, props.top, HEIGHT) }
    })
  })
  const words = () =>
    [
      formatDay(props.bucket.date),
      ...parts().map((part) => `${props.series[part.series]?.name}: ${props.exact(part.amount)}`),
    ].join('\n')
  return (
    <g>
      <title>{words()}</title>
      <For each={parts()}>
        {({ series, y, height, amount }) => (
          <Show when={amount > 0n}>
            <rect
              class={props.series[series]?.colour}
              x={props.index * SLOT + (SLOT - BAR) / 2}
              y={Math.min(y, HEIGHT - 1)}
              width={BAR}
              height={Math.max(1, height)}
            />
          </Show>
        )}
      </For>
    </g>
  )
}
