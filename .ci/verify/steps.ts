import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import { checkGenerated } from './generated.ts'
import { forgeReport, playwrightReport, readReport, type TestReport, vitestReport } from './reports.ts'
import { COMPUTING, run } from './run.ts'

export const ROOT = join(import.meta.dirname, '../..')
/** Reports and records of this runner. */
export const CACHE = join(ROOT, 'node_modules/.cache/verify')

export interface StepResult {
  ok: boolean
  /** Printed when the step failed. */
  output: string
  /** Null for a step that runs no tests. */
  report: TestReport | null
  /** Why the step was left out. Repeated at the end. */
  skipped?: string
}

export interface Step {
  name: string
  /** Only in `npm run test:long`. */
  long?: boolean
  run(): Promise<StepResult>
}

/** A step that passes when a command does. */
function command(name: string, ...words: string[]): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await run(words, ROOT, { nice: COMPUTING })
      return { ok: code === 0, output, report: null }
    },
  }
}

/** A vitest project, with this `nice` if it only computes. */
function vitest(project: string, nice?: number): Step {
  return {
    name: project,
    run: async () => {
      const file = join(CACHE, `${project}.json`)
      await rm(file, { force: true })
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`]
      const { code, output } = await run(['vitest', 'run', '--project', project, ...reporters], ROOT, { nice })
      return { ok: code === 0, output, report: await readReport(file, vitestReport, ROOT) }
    },
  }
}

const generated: Step = {
  name: 'generated files',
  run: async () => {
    const complaints = await checkGenerated(ROOT)
    return { ok: complaints.length === 0, output: complaints.join('\n\n'), report: null }
  },
}

/** Through our own scripts: the `forge` of npm exits with 0 even when tests failed. */
function contracts(name: string, script: string): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await run(['npm', 'run', '--silent', script], ROOT, { nice: COMPUTING })
      return { ok: code === 0, output, report: forgeReport(output) }
    },
  }
}

/** The stories in a browser: those tagged `@long` in whole Chromium, or all others in its headless shell. */
const browser = (name: string, chosen: '--grep' | '--grep-invert'): Step => ({
  name,
  run: async () => {
    const chromium = await findChromium(ROOT, chosen === '--grep' ? 'chromium' : 'chromium-headless-shell')
    if (chromium === null) {
      return { ok: true, output: '', report: null, skipped: 'Chromium is not installed and cannot be downloaded' }
    }
    const file = join(CACHE, `${name}.json`)
    await rm(file, { force: true })
    const words = [
      'playwright',
      'test',
      '--config',
      'test/e2e/playwright.config.ts',
      '--reporter=list,json',
      chosen,
      '@long',
    ]
    const { code, output } = await run(words, ROOT, {
      env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    })
    return { ok: code === 0, output, report: await readReport(file, playwrightReport, ROOT) }
  },
})

/**
 * What `npm test` does. The steps of a lane run one after the other, the lanes side by side: what mostly waits for blocks and
 * deadlines runs beside what only computes, and goes first where both want the processor.
 */
export const LANES: readonly (readonly Step[])[] = [
  [
    command('format and lint', 'biome', 'check', '.', '--max-diagnostics=30'),
    // Each checker works out the types of the libraries again, and other lanes need the processor.
    command('types', 'tsc', '-b', '--checkers', '1'),
    command('dead code', 'knip'),
    // Before the generated files, which then need no second compilation.
    contracts('contracts', 'contracts:test'),
    generated,
    vitest('unit', COMPUTING),
    { ...contracts('contracts, long', 'contracts:test:long'), long: true },
    { ...contracts('contracts, coverage', 'contracts:coverage'), long: true },
    { ...contracts('contracts, faults', 'contracts:mutants'), long: true },
  ],
  [browser('browser', '--grep-invert'), vitest('worker'), { ...browser('browser, long', '--grep'), long: true }],
  [vitest('stack'), { ...vitest('long'), long: true }],
]
