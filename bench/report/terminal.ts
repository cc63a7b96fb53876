import type { Figure } from '../benchmark.ts'

/** A benchmark that ran, or why it did not. */
export interface Outcome {
  name: string
  title: string
  figures: Figure[]
  notes: string[]
  seconds: number
  failure?: string
  /** ISO 8601. */
  taken: string
  commit: string
  /** Processors, memory, kernel. */
  machine: string
}

const HEADS = ['figure', 'ours', 'baseline', 'ratio', 'goal', 'met'] as const

export const verdict = ({ met }: Figure): string => (met === null ? '–' : met ? 'yes' : 'no')

/** The cells of a figure, in the order of the heads. */
export const cellsOf = (figure: Figure): string[] => [
  figure.figure,
  figure.ours,
  figure.baseline ?? '–',
  figure.ratio ?? '–',
  figure.goal === '' ? '–' : figure.goal,
  verdict(figure),
]

/** All outcomes as one table for a terminal. */
export function terminalTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ title, figures, failure }) => [
    [title, ...(failure === undefined ? [] : [failure])],
    ...figures.map(cellsOf).map(([first = '', ...rest]) => [`  ${first}`, ...rest]),
  ])
  const full = [[...HEADS], ...rows.filter((row) => row.length === HEADS.length)]
  const widths = HEADS.map((_, column) => Math.max(...full.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.length < HEADS.length ? row.join(': ') : row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return [line(HEADS), ...rows.map(line)].map((text) => text.trimEnd()).join('\n')
}
