import { For, type JSX } from 'solid-js'

export interface Column<Row> {
  heading: string
  /** Words, which begin where their heading does; numbers end below each other. */
  isText?: boolean
  cell(row: Row): JSX.Element
}

interface DataTableProps<Row> {
  label: string
  /** The first column is the heading of each row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}

/** A table that scrolls in its frame. On a phone each row is a small list of labelled values. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  return (
    <section class="table-frame" tabindex="0" aria-label={props.label}>
      <table class="table-rows">
        <thead>
          <tr>
            <For each={props.columns}>
              {({ heading, isText }) => (
                <th scope="col" classList={{ 'text-cell': isText }}>
                  {heading}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>{(row) => <DataRow columns={props.columns} row={row} />}</For>
        </tbody>
      </table>
    </section>
  )
}

function DataRow<Row>(props: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <tr>
      <For each={props.columns}>
        {({ heading, isText, cell }, index) =>
          index() === 0 ? (
            <th scope="row">{cell(props.row)}</th>
          ) : (
            <td data-label={heading} classList={{ 'text-cell': isText }}>
              {cell(props.row)}
            </td>
          )
        }
      </For>
    </tr>
  )
}
