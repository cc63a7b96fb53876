import { For, type ParentProps, Show } from 'solid-js'
import { messages } from '../messages.ts'

export interface Series {
  name: string
  /** A class of `charts.css`. */
  colour: string
}

/** The class of a series' colour, by its position. */
export const colourOf = (index: number): string => `series-${(index % 6) + 1}`

interface ChartFrameProps {
  series: readonly Series[]
  /** The meaning of the line, when there is one. */
  line?: string | undefined
  /** Labels of the axis from the top to the bottom. */
  axis: readonly string[]
  /** Labels below the first and the last place. */
  ends: readonly string[]
  headings: readonly string[]
  rows: readonly (readonly string[])[]
}

/** Legend, axes and table around a drawing. */
export function ChartFrame(props: ParentProps<ChartFrameProps>) {
  return (
    <figure class="chart">
      <figcaption class="legend">
        <Show when={props.series.length > 1 || props.line !== undefined}>
          <For each={props.series}>
            {({ name, colour }) => (
              <span>
                <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                  <rect class={colour} width="10" height="10" />
                </svg>
                {name}
              </span>
            )}
          </For>
        </Show>
        <Show when={props.line}>
          {(line) => (
            <span>
              <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                <path class="chart-line" d="M0 5h10" />
              </svg>
              {line()}
            </span>
          )}
        </Show>
      </figcaption>
      <div class="chart-body">
        <div class="chart-axis figures" aria-hidden="true">
          <For each={props.axis}>{(label) => <span>{label}</span>}</For>
        </div>
        <div class="chart-drawing">{props.children}</div>
        <div class="chart-ends figures" aria-hidden="true">
          <For each={props.ends}>{(label) => <span>{label}</span>}</For>
        </div>
      </div>
      <ChartTable headings={props.headings} rows={props.rows} />
    </figure>
  )
}

/** The same numbers as in the drawing. */
function ChartTable(props: Pick<ChartFrameProps, 'headings' | 'rows'>) {
  return (
    <details>
      <summary>{messages.chart.table}</summary>
      <section class="table-frame chart-table" tabindex="0" aria-label={messages.chart.table}>
        <table>
          <thead>
            <tr>
              <For each={props.headings}>{(heading) => <th scope="col">{heading}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={props.rows}>
              {([first, ...cells]) => (
                <tr>
                  <th scope="row">{first}</th>
                  <For each={cells}>{(cell) => <td>{cell}</td>}</For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
    </details>
  )
}
