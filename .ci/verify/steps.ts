import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import { type Counts, forgeCounts, playwrightCounts, vitestCounts } from './counts.ts'
import { changedPaths, fingerprint, GENERATED } from './generated.ts'
import { run } from './run.ts'

export const ROOT = join(import.meta.dirname, '../..')

export interface StepResult {
  ok: boolean
  /** Shown when it failed. */
  output: string
  /** Null for a step that is no test runner. */
  counts: Counts | null
  /** Why it was left out; said again at the end. */
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
      const { code, output } = await run(words, ROOT)
      return { ok: code === 0, output, counts: null }
    },
  }
}

/** A vitest project. */
function vitest(project: string): Step {
  return {
    name: project,
    run: async () => {
      const report = join(ROOT, `node_modules/.cache/verify/${project}.json`)
      await rm(report, { force: true })
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
      const { code, output } = await run(['vitest', 'run', '--project', project, ...reporters], ROOT)
      return { ok: code === 0, output, counts: await vitestCounts(report) }
    },
  }
}

/** Makes every generated file again: none may change. */
const generated: Step = {
  name: 'generated files',
  run: async () => {
    for (const { command: words, paths } of GENERATED) {
      const before = await fingerprint(ROOT, paths)
      const { code, output } = await run(words, ROOT)
      const changed = changedPaths(before, await fingerprint(ROOT, paths))
      if (code === 0 && changed.length === 0) continue
      const note = changed.length > 0 ? `\nNot up to date: ${changed.join(', ')}. They are now; commit them.` : ''
      return { ok: false, output: `${words.join(' ')}\n${output}${note}`, counts: null }
    }
    return { ok: true, output: '', counts: null }
  },
}

/** Through our own scripts: the `forge` of npm ends with 0 also when tests failed. */
function contracts(name: string, script: string): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await run(['npm', 'run', '--silent', script], ROOT)
      return { ok: code === 0, output, counts: forgeCounts(output) }
    },
  }
}

const browser: Step = {
  name: 'browser',
  run: async () => {
    const chromium = await findChromium(ROOT)
    if (chromium === null) {
      return { ok: true, output: '', counts: null, skipped: 'there is no Chromium, and none can be fetched' }
    }
    const words = ['playwright', 'test', '--config', 'test/e2e/playwright.config.ts', '--reporter=list']
    const { code, output } = await run(words, ROOT, { CHROMIUM_PATH: chromium })
    return { ok: code === 0, output, counts: playwrightCounts(output) }
  },
}

/** What `npm test` does, in this order. One line each. */
export const STEPS: readonly Step[] = [
  command('format and lint', 'biome', 'check', '.', '--max-diagnostics=30'),
  command('types', 'tsc', '-b'),
  command('dead code', 'knip'),
  generated,
  vitest('unit'),
  vitest('worker'),
  contracts('contracts', 'contracts:test'),
  vitest('stack'),
  browser,
  { ...vitest('long'), long: true },
  { ...contracts('contracts, long', 'contracts:test:long'), long: true },
]
