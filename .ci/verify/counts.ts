/** How many tests a runner ran. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 }

export function sum(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** `12 passed, 0 failed`, with `, 3 skipped` when there are any. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** The closing line of vitest or forge. */
const ONE_LINE = /^ +Tests +.+ \(\d+\)$|\d+ tests passed, .+ \(\d+ total tests\)/m
/** The closing lines of Playwright, one for each count. */
const LINES = /^ {2}\d+ (?:passed|failed|skipped)\b/gm

/** The counts that a runner printed at its end, for the last line of a run. All 0 where it printed none: exit codes decide. */
export function countsIn(output: string): Counts {
  const summary = ONE_LINE.exec(output)?.[0] ?? output.match(LINES)?.join('\n') ?? ''
  const count = (words: string): number => Number(new RegExp(`(\\d+) (?:${words})\\b`).exec(summary)?.[1] ?? 0)
  return { passed: count('tests passed|passed'), failed: count('failed'), skipped: count('skipped') }
}
