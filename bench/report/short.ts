import type { Figure } from '../benchmark.ts'
import { cellsOf, type Outcome } from './terminal.ts'

/** The short table stands between these marks, in `docs/benchmarks.md` and, with fewer rows, in the README. */
const START = '<!-- benchmarks: written by `npm run bench` -->'
const END = '<!-- end of benchmarks -->'

/** How the rows begin that the README shows: what a user asks for. At most eight. */
const README_ROWS = [
  'Unpaid call, answered 402: p99',
  'Paid call, stubs that answer at once: processor time',
  'Site: script, gzip, first paint',
  'Bundle and start: bundle, minified, gzip',
]

/** A cell of a table in Markdown. */
export const cell = (text: string): string => text.replaceAll('|', '\\|')

/** The figures that have a goal, and when and where they were taken. */
export function shortTable(outcomes: readonly Outcome[], taken: string): string {
  const rows = outcomes.flatMap(({ title, figures, failure }) =>
    failure === undefined
      ? figures.filter(({ met }) => met !== null).map((figure) => rowOf(title, figure))
      : [`| ${cell(title)} | not measured: ${cell(failure)} | | | |`],
  )
  return [
    START,
    '',
    taken,
    '',
    '| figure | ours | baseline | goal | met |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    END,
  ].join('\n')
}

function rowOf(title: string, figure: Figure): string {
  const [name = '', ours = '', baseline = '', , goal = '', met = ''] = cellsOf(figure).map(cell)
  return `| ${cell(title)}: ${name} | ${middle(ours)} | ${middle(baseline)} | ${goal} | ${met} |`
}

/** The short table with the README's rows alone. */
export function readmeTable(table: string): string {
  const isKept = (line: string): boolean =>
    !line.startsWith('| ') || line.startsWith('| figure') || README_ROWS.some((row) => line.startsWith(`| ${row}`))
  return table.split('\n').filter(isKept).join('\n')
}

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
