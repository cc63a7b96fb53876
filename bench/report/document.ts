import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { fullTable, minuteOf } from './tables.ts'
import type { Outcome } from './terminal.ts'

const ROOT = join(import.meta.dirname, '../..')
const VERSIONS_OF = [
  'hono',
  '@x402/hono',
  'workerd',
  'wrangler',
  'drizzle-orm',
  'viem',
  'zod',
  'autocannon',
  'lighthouse',
]

/** `docs/benchmarks.md`: what was measured, when, on what, with what. */
export function benchmarkDocument(outcomes: readonly Outcome[]): string {
  return [
    '# Benchmarks',
    '',
    'Made by `npm run bench`, which writes this page; do not edit it. `npm run bench -- NAME --write` measures one benchmark again and',
    'leaves the others; each section says when it was taken, and of which commit. A figure is the median of its rounds, the least and the',
    'greatest in brackets; a ratio is the median of those of each round, its quartiles in brackets. Both sides of a comparison run',
    'in turn, in raw workerd, on one machine, in one run. The section of each benchmark says what its baseline does not do.',
    '',
    '## Figures',
    '',
    fullTable(outcomes),
    '',
    `${(outcomes.reduce((sum, { seconds }) => sum + seconds, 0) / 60).toFixed(1)} minutes in all. ${versions()}`,
    '',
    ...outcomes.flatMap((outcome) => [
      `## ${outcome.title}`,
      '',
      takenNote(outcome),
      '',
      ...outcome.notes.flatMap((note) => [note, '']),
    ]),
  ].join('\n')
}

const takenNote = ({ name, taken, commit, seconds }: Outcome): string =>
  `\`npm run bench -- ${name}\`, ${minuteOf(taken)} UTC, commit ${commit}, ${seconds.toFixed(0)} s.`

/** Processors, memory and kernel of this machine. */
export function machine(): string {
  const processors = cpus()
  const gibibytes = Math.round(totalmem() / 1024 ** 3)
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ${gibibytes} GiB, Linux ${release()}`
}

const packageSchema = z.object({ version: z.string() })

function versions(): string {
  const of = (name: string): string =>
    packageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))).version
  return `Node ${process.versions.node}, ${VERSIONS_OF.map((name) => `${name} ${of(name)}`).join(', ')}.`
}

/** The commit that is checked out. */
export const currentCommit = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
