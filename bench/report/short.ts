import type { Figure } from '../benchmark.ts'
import { cellsOf, type Outcome } from './terminal.ts'

/** Between these the short table stands, in the README and in `docs/benchmarks.md`, word for word the same. */
const START = '<!-- benchmarks: written by `npm run bench` -->'
const END = '<!-- end of benchmarks -->'

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
    '| figure | ours | peer | goal | met |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    END,
  ].join('\n')
}

function rowOf(title: string, figure: Figure): string {
  const [name = '', ours = '', peer = '', , goal = '', met = ''] = cellsOf(figure).map(cell)
  return `| ${cell(title)}: ${name} | ${middle(ours)} | ${middle(peer)} | ${goal} | ${met} |`
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
