import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import { checkGenerated } from './generated.ts'
import { COMPUTING, run } from './run.ts'

export const ROOT = join(import.meta.dirname, '../..')

export interface StepResult {
  ok: boolean
  /** Printed when the step failed. */
  output: string
  /** Why the step was left out. Repeated at the end. */
  skipped?: string
}

export interface Step {
  name: string
  /** Only in `npm test -- --long`. */
  long?: boolean
  run(): Promise<StepResult>
}

/** A step that passes when a command does. Unless said otherwise it only computes. */
function command(name: string, words: string, options: { nice?: number } = { nice: COMPUTING }): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await run(words.split(' '), ROOT, options)
      return { ok: code === 0, output }
    },
  }
}

/** A project of vitest: all but `unit` mostly wait. */
const vitest = (project: string): Step =>
  command(project, `vitest run --project ${project}`, project === 'unit' ? { nice: COMPUTING } : {})

const generated: Step = {
  name: 'generated files',
  run: async () => {
    const complaints = await checkGenerated(ROOT)
    return { ok: complaints.length === 0, output: complaints.join('\n\n') }
  },
}

/** The stories in a browser: those tagged `@long` in whole Chromium, or all others in its headless shell. */
const browser = (name: string, chosen: '--grep' | '--grep-invert'): Step => ({
  name,
  run: async () => {
    const chromium = await findChromium(ROOT, chosen === '--grep' ? 'chromium' : 'chromium-headless-shell')
    if (chromium === null)
      return { ok: true, output: '', skipped: 'Chromium is not installed and cannot be downloaded' }
    const words = [
      'playwright',
      'test',
      '--config',
      'test/e2e/playwright.config.ts',
      '--reporter=list',
      chosen,
      '@long',
    ]
    const { code, output } = await run(words, ROOT, { env: { CHROMIUM_PATH: chromium } })
    return { ok: code === 0, output }
  },
})

/**
 * The steps of `npm test`. Those of a lane run one after the other, the lanes side by side: what mostly waits for blocks and
 * deadlines runs beside what only computes, and goes first where both want the processor.
 */
export const LANES: readonly (readonly Step[])[] = [
  [
    command('format and lint', 'biome check . --max-diagnostics=30'),
    // Each checker works out the types of the libraries again, and other lanes need the processor.
    command('types', 'tsc -b --checkers 1'),
    command('dead code', 'knip'),
    // Through our own scripts: the `forge` of npm exits with 0 even when tests failed. Before the generated files, which then need no second compilation.
    command('contracts', 'npm run --silent contracts:test'),
    generated,
    vitest('unit'),
    { ...command('contracts, long', 'npm run --silent contracts -- long'), long: true },
    { ...command('contracts, coverage', 'npm run --silent contracts -- coverage'), long: true },
    { ...command('contracts, faults', 'npm run --silent contracts -- mutants'), long: true },
  ],
  [browser('browser', '--grep-invert'), vitest('worker'), { ...browser('browser, long', '--grep'), long: true }],
  [vitest('stack'), { ...vitest('long'), long: true }],
]
