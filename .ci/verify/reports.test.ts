import { expect, test } from 'vitest'
import { changedPaths } from './generated.ts'
import { describeCounts, forgeReport, playwrightReport, sum, vitestReport } from './reports.ts'

test('default: counts add up, and skipped tests are named only if there are any', () => {
  const total = sum({ passed: 3, failed: 0, skipped: 0 }, { passed: 4, failed: 1, skipped: 0 })
  expect(describeCounts(total)).toBe('7 passed, 1 failed')
  expect(describeCounts({ ...total, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
})

test('default: forge is read from its last line', () => {
  const output = 'Ran 6 test suites in 9.1s (20s CPU time): 94 tests passed, 1 failed, 2 skipped (97 total tests)\n'
  expect(forgeReport(output)?.counts).toEqual({ passed: 94, failed: 1, skipped: 2 })
  expect(forgeReport('Compiler run failed')).toBeNull()
})

test('default: vitest and Playwright are read from their reports, with the seconds of each file', () => {
  const vitest = {
    numPassedTests: 4,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [{ name: '/app/a.test.ts', startTime: 1_000, endTime: 3_500 }],
  }
  expect(vitestReport(vitest, '/app')).toEqual({
    counts: { passed: 4, failed: 1, skipped: 3 },
    files: [{ path: 'a.test.ts', seconds: 2.5 }],
  })
  const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] })
  const playwright = {
    config: { rootDir: '/app/e2e' },
    stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 1 },
    suites: [{ file: 'b.spec.ts', specs: [spec(1_000)], suites: [{ file: 'b.spec.ts', specs: [spec(500)] }] }],
  }
  expect(playwrightReport(playwright, '/app')).toEqual({
    counts: { passed: 2, failed: 2, skipped: 1 },
    files: [{ path: 'e2e/b.spec.ts', seconds: 1.5 }],
  })
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
