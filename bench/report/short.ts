import type { Figure } from '../benchmark.ts'
import { cellsOf, type Outcome } from './terminal.ts'

/** The short table stands between these marks, in `docs/benchmarks.md` and, with fewer rows, in the README. */
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

/** A cell of a table in Markdown. */
export const cell = (text: string): string => text.replaceAll('|', '\\|')

/** `2026-11-29 17:26` of a time in ISO 8601. */
export const minuteOf = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

/** The figures that have a goal, and when and where they were taken. */
export function shortTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ title, figures, failure }) =>
    failure === undefined
      ? figures.filter(({ met }) => met !== null).map((figure) => rowOf(title, figure))
      : [`| ${cell(title)} | not measured: ${cell(failure)} | | | | |`],
  )
  return [
    START,
    '',
    takenLine(outcomes),
    '',
    '| figure | ours | baseline | ratio | goal | met |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    END,
  ].join('\n')
}

function takenLine(outcomes: readonly Outcome[]): string {
  const times = outcomes.map(({ taken }) => minuteOf(taken)).sort()
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return 'Nothing is measured yet.'
  const machines = [...new Set(outcomes.map(({ machine }) => machine))].join('; ')
  return `Taken ${first === last ? first : `${first} to ${last}`} UTC on ${machines}.`
}

function rowOf(title: string, figure: Figure): string {
  const [name = '', ours = '', baseline = '', ratio = '', goal = '', met = ''] = cellsOf(figure).map(cell)
  return `| ${cell(title)}: ${name} | ${middle(ours)} | ${middle(baseline)} | ${middle(ratio)} | ${goal} | ${met} |`
}

/** The short table with the README's rows alone, in their order, without goals. A benchmark that failed has one row. */
export function readmeTable(table: string): string {
  const lines = table.split('\n')
  const isRow = (line: string): boolean => line.startsWith('| ') && !line.startsWith('| figure ')
  const kept = README_ROWS.flatMap(([title, figure]) =>
    lines.filter((line) => line.startsWith(`| ${title}: ${figure}`) || line.startsWith(`| ${title} | not measured`)),
  )
  const rows = [...new Set(kept)]
  const shown = lines.flatMap((line) => (line.startsWith('|---') ? [line, ...rows] : isRow(line) ? [] : [line]))
  return shown.map(withoutGoal).join('\n')
}

/** A row of a table with its first four cells: figure, ours, baseline, ratio. */
const withoutGoal = (line: string): string =>
  line.startsWith('|') ? `${line.split('|').slice(0, 5).join('|')}|` : line

/** A median without its spread. */
const middle = (text: string): string => text.replaceAll(/ \([^()]* to [^()]*\)/g, '')

/** The part of a document between the marks, marks included. Throws when they are missing. */
export function markedPart(document: string): string {
  const [from, to] = [document.indexOf(START), document.indexOf(END)]
  if (from < 0 || to < from) throw new Error('the marks of the short table are missing')
  return document.slice(from, to + END.length)
}

/** The document with another short table. */
export const withShortTable = (document: string, table: string): string =>
  document.replace(markedPart(document), () => table)
