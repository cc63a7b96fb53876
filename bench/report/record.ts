import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Outcome } from './terminal.ts'

/** The source of the page of the benchmarks: the last written outcome of each. */
const FILE = join(import.meta.dirname, '../../docs/benchmarks.json')

const figureSchema = z.strictObject({
  figure: z.string(),
  ours: z.string(),
  baseline: z.string().exactOptional(),
  ratio: z.string().exactOptional(),
  goal: z.string(),
  met: z.boolean().nullable(),
})
const recordSchema = z.array(
  z.strictObject({
    name: z.string(),
    title: z.string(),
    figures: z.array(figureSchema),
    notes: z.array(z.string()),
    seconds: z.number(),
    failure: z.string().exactOptional(),
    taken: z.string(),
    commit: z.string(),
    machine: z.string(),
  }),
)

/** The outcomes of the page. Throws where the file is missing or not of this form. */
export async function readOutcomes(): Promise<Outcome[]> {
  return recordSchema.parse(JSON.parse(await readFile(FILE, 'utf8')))
}

/** Replaces the outcomes of the page. */
export async function writeOutcomes(outcomes: readonly Outcome[]): Promise<void> {
  await writeFile(FILE, `${JSON.stringify(outcomes, null, 2)}\n`)
}

/** `measured` in place of the outcomes of the same names; `names` is the order. Of other names nothing stays. */
export function withMeasured(
  before: readonly Outcome[],
  measured: readonly Outcome[],
  names: readonly string[],
): Outcome[] {
  return names.flatMap((name) => [...measured, ...before].find((outcome) => outcome.name === name) ?? [])
}
