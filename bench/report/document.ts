import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
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

/** `docs/benchmarks.md`: what was measured, when, on what, with what. */
export function benchmarkDocument(outcomes: readonly Outcome[], date: Date, seconds: number): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|')
  const rows = outcomes.flatMap(({ title, figures, failure }) => [
    `| **${title}** | ${failure === undefined ? '' : cell(`not measured: ${failure}`)} | | | | |`,
    ...figures.map((figure) => `| ${cellsOf(figure).map(cell).join(' | ')} |`),
  ])
  return [
    '# Benchmarks',
    '',
    'Made by `npm run bench`, which writes this page; do not edit it. A figure is the median of its rounds, the least and the',
    'greatest in brackets. Both sides of a comparison run in turn, in raw workerd, on one machine, in one run.',
    '',
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${Math.round(seconds / 60)} minutes in all. ${machine()}`,
    '',
    versions(),
    '',
    '| figure | ours | peer | ratio | goal | met |',
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
