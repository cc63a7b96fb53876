import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import * as z from 'zod'

/** How many tests a runner ran. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** What a test runner reports: its counts, and how long each file took. */
export interface TestReport {
  counts: Counts
  files: FileTime[]
}

export interface FileTime {
  /** From the root of the repository. */
  path: string
  seconds: number
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
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
})

/** Reads vitest's JSON report. */
export function vitestReport(json: unknown, root: string): TestReport {
  const report = vitestSchema.parse(json)
  return {
    counts: {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    files: report.testResults.map(({ name, startTime, endTime }) => ({
      path: relative(root, name),
      seconds: Math.max(0, endTime - startTime) / 1_000,
    })),
  }
}

const specSchema = z.object({
  tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
})
const suiteSchema = z.object({
  file: z.string(),
  specs: z.array(specSchema),
  get suites() {
    return z.array(suiteSchema).optional()
  },
})
const playwrightSchema = z.object({
  config: z.object({ rootDir: z.string() }),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(suiteSchema),
})

/** Reads Playwright's JSON report. A test that passed only when repeated is a failure. */
export function playwrightReport(json: unknown, root: string): TestReport {
  const { config, stats, suites } = playwrightSchema.parse(json)
  return {
    counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    files: suites.map((suite) => ({
      path: relative(root, `${config.rootDir}/${suite.file}`),
      seconds: durationOf(suite) / 1_000,
    })),
  }
}

function durationOf({ specs, suites = [] }: z.infer<typeof suiteSchema>): number {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)))
  return [...own, ...suites.map(durationOf)].reduce((total, duration) => total + duration, 0)
}

/** Reads a report file. Null when the runner wrote none. */
export async function readReport(
  file: string,
  parse: (json: unknown, root: string) => TestReport,
  root: string,
): Promise<TestReport | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : parse(JSON.parse(text), root)
}

/** Counts from the last line of `forge test`. Null when there is no such line. */
export function forgeReport(output: string): TestReport | null {
  const match = /(\d+) tests passed, (\d+) failed, (\d+) skipped \(\d+ total tests\)/.exec(output)
  if (match === null) return null
  const [passed, failed, skipped] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return { counts: { passed, failed, skipped }, files: [] }
}
