import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { cell } from './short.ts'
import { cellsOf, type Outcome } from './terminal.ts'

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

/** When and on what a whole run was made. */
export const takenAt = (date: Date): string =>
  `Taken ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC on ${machine()}`

/** `docs/benchmarks.md`: what was measured, when, on what, with what. `short` is the table that the README shows too. */
export function benchmarkDocument(outcomes: readonly Outcome[], short: string, seconds: number): string {
  const rows = outcomes.flatMap(({ title, figures, failure }) => [
    `| **${title}** | ${failure === undefined ? '' : cell(`not measured: ${failure}`)} | | | | |`,
    ...figures.map((figure) => `| ${cellsOf(figure).map(cell).join(' | ')} |`),
  ])
  return [
    '# Benchmarks',
    '',
    'Made by `npm run bench`, which writes this page; do not edit it. A figure is the median of its rounds, the least and the',
    'greatest in brackets; a ratio is the median of those of each round, its quartiles in brackets. Both sides of a comparison run',
    'in turn, in raw workerd, on one machine, in one run. The section of each benchmark says what its baseline does not do. A',
    'benchmark that failed is written as not measured.',
    '',
    '## In short',
    '',
    short,
    '',
    '## All figures',
    '',
    `${(seconds / 60).toFixed(1)} minutes in all. ${versions()}`,
    '',
    '| figure | ours | baseline | ratio | goal | met |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...outcomes.flatMap(({ title, notes }) =>
      notes.length === 0 ? [] : [`## ${title}`, '', ...notes.flatMap((note) => [note, ''])],
    ),
  ].join('\n')
}

function machine(): string {
  const processors = cpus()
  const gibibytes = Math.round(totalmem() / 1024 ** 3)
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ${gibibytes} GiB, Linux ${release()}.`
}

const packageSchema = z.object({ version: z.string() })

function versions(): string {
  const of = (name: string): string =>
    packageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))).version
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  return `Node ${process.versions.node}, ${VERSIONS_OF.map((name) => `${name} ${of(name)}`).join(', ')}; commit ${commit}.`
}
