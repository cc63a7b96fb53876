import { expect, test } from 'vitest'
import { describeCounts, forgeCounts, playwrightCounts, sum } from './counts.ts'
import { changedPaths } from './generated.ts'

test('default: counts add up, and skipped ones are named only when there are any', () => {
  const total = sum({ passed: 3, failed: 0, skipped: 0 }, { passed: 4, failed: 1, skipped: 0 })
  expect(describeCounts(total)).toBe('7 passed, 1 failed')
  expect(describeCounts({ ...total, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
})

test('default: counts of forge and of Playwright are read from what they print', () => {
  const forge = 'Ran 6 test suites in 9.1s (20s CPU time): 94 tests passed, 1 failed, 2 skipped (97 total tests)\n'
  expect(forgeCounts(forge)).toEqual({ passed: 94, failed: 1, skipped: 2 })
  expect(forgeCounts('Compiler run failed')).toBeNull()
  expect(
    playwrightCounts('\n  1 failed\n    [chromium] › a.spec.ts:3:1 › 5 passed\n  2 skipped\n  12 passed (3.2s)\n'),
  ).toEqual({ passed: 12, failed: 1, skipped: 2 })
  expect(playwrightCounts('Error: no tests found')).toBeNull()
})

test('behavior: a generated file that appears, changes or goes is named', () => {
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
