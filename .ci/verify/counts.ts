import { readFile } from 'node:fs/promises'
import * as z from 'zod'

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

const vitestSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
})

/** Counts from vitest's JSON report; null when it wrote none. */
export async function vitestCounts(file: string): Promise<Counts | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  const report = vitestSchema.parse(JSON.parse(text))
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** Counts from the last line of `forge test`; null when there is none. */
export function forgeCounts(output: string): Counts | null {
  const match = /(\d+) tests passed, (\d+) failed, (\d+) skipped \(\d+ total tests\)/.exec(output)
  return match && { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3]) }
}

/** Counts from the last lines of Playwright's list reporter; null when it ran nothing. */
export function playwrightCounts(output: string): Counts | null {
  const count = (word: string): number => Number(new RegExp(`^\\s+(\\d+) ${word}`, 'm').exec(output)?.[1] ?? 0)
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') + count('did not run') }
  return counts.passed + counts.failed + counts.skipped === 0 ? null : counts
}
