import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readOutcomes, withMeasured } from './record.ts'
import { fullTable, markedPart, readmeTable, withTable } from './tables.ts'

const ROOT = join(import.meta.dirname, '../..')
const figure = {
  figure: 'p99',
  ours: '5.0 ms (4.0 to 6.0)',
  baseline: '7.0 ms (6.0 to 9.0)',
  ratio: '0.71 ×',
  goal: '≤ the baseline',
  met: true,
}
const when = { taken: '2026-11-29T17:26:10.000Z', commit: 'abc1234', machine: '2 × a processor' }
const outcome = { name: 'calls', title: 'Calls', notes: [], seconds: 1, ...when }

describe('tables of the figures', () => {
  it('default: every figure with its spread and its goal, and what was not measured', () => {
    const table = fullTable([
      { ...outcome, figures: [figure, { figure: 'calls', ours: '1', goal: '–', met: null }] },
      { ...outcome, title: 'Growth', figures: [], failure: 'a | b', taken: '2026-11-29T17:56:00.000Z' },
    ])
    expect(table.split('\n').slice(2, -2)).toEqual([
      'Taken 2026-11-29 17:26 to 2026-11-29 17:56 UTC on 2 × a processor.',
      '',
      '| figure | ours | baseline | ratio | goal | met |',
      '|---|---|---|---|---|---|',
      '| **Calls** |  | | | | |',
      '| p99 | 5.0 ms (4.0 to 6.0) | 7.0 ms (6.0 to 9.0) | 0.71 × | ≤ the baseline | yes |',
      '| calls | 1 | – | – | – | – |',
      '| **Growth** | not measured: a \\| b | | | | |',
    ])
  })

  it('behavior: it replaces the one before and leaves the rest of the document', () => {
    const first = fullTable([])
    const second = fullTable([{ ...outcome, figures: [{ ...figure, ours: "$& $'" }] }])
    expect(withTable(`a\n${first}\nb\n`, second)).toBe(`a\n${second}\nb\n`)
    expect(() => markedPart('no marks')).toThrow('the marks of the table are missing')
  })

  it('behavior: the README begins with the rows a user asks for, and says what was not measured', () => {
    const own = { ...outcome, title: 'Own time of a purchase on the whole local stack' }
    const unpaid = { ...figure, figure: 'processor time of workerd per 1,000, against stock parts' }
    const rows = readmeTable([
      { ...own, figures: [], failure: 'no stack' },
      { ...outcome, title: 'Unpaid call, answered 402', figures: [figure, unpaid, { ...figure, figure: 'header' }] },
    ])
      .split('\n')
      .filter((line) => line.startsWith('| '))
    expect(rows).toEqual([
      '| figure | ours | baseline | ratio |',
      '| Unpaid call, answered 402: processor time of workerd per 1,000, against stock parts | 5.0 ms | 7.0 ms | 0.71 × |',
      '| Own time of a purchase on the whole local stack | not measured: no stack |  |  |',
    ])
  })

  it('behavior: the page and the README show what docs/benchmarks.json holds', async () => {
    const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
    const outcomes = await readOutcomes()
    expect(markedPart(read('docs/benchmarks.md'))).toBe(fullTable(outcomes))
    const shown = markedPart(read('README.md'))
    expect(shown).toBe(readmeTable(outcomes))
    expect(shown.split('\n').filter((line) => line.startsWith('| ')).length).toBeLessThanOrEqual(1 + 6)
  })

  it('behavior: a benchmark that was measured again replaces itself and leaves the others', () => {
    const named = (name: string, commit: string) => ({ ...outcome, figures: [], name, commit })
    const before = [named('paid', 'old'), named('unpaid', 'old'), named('gone', 'old')]
    const after = withMeasured(before, [named('paid', 'new')], ['unpaid', 'paid', 'site'])
    expect(after.map(({ name, commit }) => `${name} ${commit}`)).toEqual(['unpaid old', 'paid new'])
  })
})
