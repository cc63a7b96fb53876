import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const ROOT = join(import.meta.dirname, '../..')
/** Left on this machine by the last whole run that passed, for `npm run bench`. */
const FILE = join(ROOT, 'node_modules/.cache/verify/whole.json')

const recordSchema = z.object({ seconds: z.number(), commit: z.string() })

/** How long a whole, passing `npm test` took, and of which commit. */
export type VerifyRecord = z.infer<typeof recordSchema>

export async function writeRecord(seconds: number): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  await writeFile(FILE, JSON.stringify({ seconds, commit } satisfies VerifyRecord))
}

/** Null where no whole run has passed yet. */
export async function readRecord(): Promise<VerifyRecord | null> {
  const text = await readFile(FILE, 'utf8').catch(() => null)
  return text === null ? null : recordSchema.parse(JSON.parse(text))
}
