import { expect, test } from 'vitest'
import { countsIn, describeCounts, NO_TESTS, sum } from './counts.ts'
import { changedPaths } from './generated.ts'

test('default: counts add up, and skipped tests are named only if there are any', () => {
  const total = sum({ passed: 3, failed: 0, skipped: 0 }, { passed: 4, failed: 1, skipped: 0 })
  expect(describeCounts(total)).toBe('7 passed, 1 failed')
  expect(describeCounts({ ...total, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
})

test.each([
  [
    'vitest',
    ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 94 passed | 2 skipped (97)\n   Start at  04:00:09\n',
  ],
  ['forge', 'Ran 6 test suites in 9.1s (20s CPU time): 94 tests passed, 1 failed, 2 skipped (97 total tests)\n'],
  [
    'Playwright',
    '  ✘  1 a.spec.ts:1:1 › 5 passed (1s)\n\n  1 failed\n    a.spec.ts:1:1 › 5 passed ──\n  2 skipped\n  94 passed (1.2m)\n',
  ],
])('default: the counts of %s are read from its closing lines', (_, output) => {
  expect(countsIn(output)).toEqual({ passed: 94, failed: 1, skipped: 2 })
})

test('behavior: a runner that prints no counts has none', () => {
  expect(countsIn('Compiler run failed: 3 errors')).toEqual(NO_TESTS)
})

test('behavior: a generated file that appears, changes or disappears is named', () => {
  const before = new Map([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
  ])
  const after = new Map([
    ['a', '1'],
    ['b', '2'],
    ['d', '1'],
  ])
  expect(changedPaths(before, after)).toEqual(['b', 'c', 'd'])
})
