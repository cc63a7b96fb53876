import type { Figure } from '../benchmark.ts'
import { cellsOf, type Outcome } from './terminal.ts'

/** The tables of `docs/benchmarks.md` and of the README stand between these marks. */
const START = '<!-- benchmarks: written by `npm run bench` -->'
const END = '<!-- end of benchmarks -->'

/** The rows that the README shows, in this order: what a user asks for. At most six; each by how its figure begins. */
const README_ROWS: readonly (readonly [title: string, figure: string])[] = [
  ['Unpaid call, answered 402', 'processor time of workerd per 1,000, against stock parts'],
  ['Own time of a purchase on the whole local stack', 'beyond chain and model, one at a time'],
  ['Paid call, stubs that answer at once', 'processor time of workerd per call, against stock parts'],
  ['Settlements by the facilitator alone', 'settlements per second'],
  ['Bundle and start', 'process start to first 402'],
  ['Site', 'script, gzip, first paint'],
]

const cell = (text: string): string => text.replaceAll('|', '\\|')

const rowOf = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

/** `2026-11-29 17:26` of a time in ISO 8601. */
export const minuteOf = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

/** All figures with their goals, and when and where they were taken. */
export function fullTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ title, figures, failure }) => [
    `| **${title}** | ${failure === undefined ? '' : cell(`not measured: ${failure}`)} | | | | |`,
    ...figures.map((figure) => rowOf(cellsOf(figure))),
  ])
  return marked(outcomes, ['| figure | ours | baseline | ratio | goal | met |', '|---|---|---|---|---|---|', ...rows])
}

/** The README's rows, in their order, without spreads and goals. A benchmark that failed has one row. */
export function readmeTable(outcomes: readonly Outcome[]): string {
  const rows = README_ROWS.flatMap(([title, begins]) =>
    outcomes
      .filter((outcome) => outcome.title === title)
      .flatMap(({ figures, failure }) =>
        failure === undefined
          ? figures.filter(({ figure }) => figure.startsWith(begins)).map((figure) => shortRow(title, figure))
          : [rowOf([title, `not measured: ${failure}`, '', ''])],
      ),
  )
  return marked(outcomes, ['| figure | ours | baseline | ratio |', '|---|---|---|---|', ...rows])
}

function shortRow(title: string, figure: Figure): string {
  const [name = '', ours = '', baseline = '', ratio = ''] = cellsOf(figure).map(withoutSpread)
  return rowOf([`${title}: ${name}`, ours, baseline, ratio])
}

const withoutSpread = (text: string): string => text.replaceAll(/ \([^()]* to [^()]*\)/g, '')

const marked = (outcomes: readonly Outcome[], table: readonly string[]): string =>
  [START, '', takenLine(outcomes), '', ...table, '', END].join('\n')

function takenLine(outcomes: readonly Outcome[]): string {
  const times = outcomes.map(({ taken }) => minuteOf(taken)).sort()
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return 'Nothing is measured yet.'
  const machines = [...new Set(outcomes.map(({ machine }) => machine))].join('; ')
  return `Taken ${first === last ? first : `${first} to ${last}`} UTC on ${machines}.`
}

/** The part of a document between the marks, marks included. Throws if they are missing. */
export function markedPart(document: string): string {
  const [from, to] = [document.indexOf(START), document.indexOf(END)]
  if (from < 0 || to < from) throw new Error('the marks of the table are missing')
  return document.slice(from, to + END.length)
}

/** The document with another table between its marks. */
export const withTable = (document: string, table: string): string =>
  document.replace(markedPart(document), () => table)
