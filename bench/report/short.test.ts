import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { markedPart, readmeTable, shortTable, withShortTable } from './short.ts'

const ROOT = join(import.meta.dirname, '../..')
const figure = {
  figure: 'p99',
  ours: '5.0 ms (4.0 to 6.0)',
  baseline: '7.0 ms (6.0 to 9.0)',
  ratio: '0.71 ×',
  goal: '≤ the baseline',
  met: true,
}
const outcome = { title: 'Calls', notes: [], seconds: 1 }

describe('short table', () => {
  it('default: the figures that have a goal, without their spread, and what was not measured', () => {
    const table = shortTable(
      [
        { ...outcome, figures: [figure, { figure: 'calls', ours: '1', goal: '–', met: null }] },
        { ...outcome, title: 'Growth', figures: [], failure: 'a | b' },
      ],
      'On a day.',
    )
    expect(table.split('\n').slice(2, -2)).toEqual([
      'On a day.',
      '',
      '| figure | ours | baseline | ratio | goal | met |',
      '|---|---|---|---|---|---|',
      '| Calls: p99 | 5.0 ms | 7.0 ms | 0.71 × | ≤ the baseline | yes |',
      '| Growth | not measured: a \\| b | | | | |',
    ])
  })

  it('behavior: it replaces the one before and leaves the rest of the document', () => {
    const first = shortTable([], 'first')
    const second = shortTable([{ ...outcome, figures: [{ ...figure, ours: "$& $'" }] }], 'second')
    expect(withShortTable(`a\n${first}\nb\n`, second)).toBe(`a\n${second}\nb\n`)
    expect(() => markedPart('no marks')).toThrow('the marks of the short table are missing')
  })

  it('behavior: the README begins with the rows a user asks for, and says what was not measured', () => {
    const own = { title: 'Own time of a purchase on the whole local stack', notes: [], seconds: 1 }
    const unpaid = { ...figure, figure: 'processor time of workerd per 1,000, against stock parts' }
    const table = shortTable(
      [
        { ...own, figures: [], failure: 'no stack' },
        { ...outcome, title: 'Unpaid call, answered 402', figures: [figure, unpaid, { ...figure, figure: 'header' }] },
      ],
      'On a day.',
    )
    const rows = readmeTable(table)
      .split('\n')
      .filter((line) => line.startsWith('| '))
    expect(rows.map((line) => line.split(' | ').slice(0, 2).join(' | '))).toEqual([
      '| figure | ours',
      '| Unpaid call, answered 402: processor time of workerd per 1,000, against stock parts | 5.0 ms',
      '| Own time of a purchase on the whole local stack | not measured: no stack',
      '| Unpaid call, answered 402: p99 | 5.0 ms',
    ])
  })

  it('behavior: the README shows its rows of docs/benchmarks.md, eight at most', () => {
    const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
    const measured = existsSync(join(ROOT, 'docs/benchmarks.md'))
    const expected = measured ? markedPart(read('docs/benchmarks.md')) : shortTable([], 'Not measured yet.')
    const shown = markedPart(read('README.md'))
    expect(shown).toBe(readmeTable(expected))
    expect(shown.split('\n').filter((line) => line.startsWith('| ')).length).toBeLessThanOrEqual(1 + 8)
  })
})
