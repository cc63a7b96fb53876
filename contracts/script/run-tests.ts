import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runForge } from './forge.ts'

/** Each random history of a presale writes a line here: how far its calls came by themselves. */
const ENDINGS = join(import.meta.dirname, '../cache/endings.txt')
/** Invariants say something only when the histories really come to both ends. */
const MUST_BE_REACHED = ['finalized and claimed', 'cancelled and refunded', 'spent by a new operator']

/** How many lines of a text are the same, by line. */
export function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n').filter((one) => one !== '')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

/** The endings that no history came to. */
export const missingEndings = (counts: ReadonlyMap<string, number>): string[] =>
  MUST_BE_REACHED.filter((ending) => !counts.has(ending))

/** Runs all tests of the contracts, with more arguments for forge. Fails too when the invariants of the presale missed an ending. */
function main(args: readonly string[]): number {
  // Forge lets a test write to a file of its list only if the file exists, in some profiles.
  mkdirSync(dirname(ENDINGS), { recursive: true })
  writeFileSync(ENDINGS, '')
  const code = runForge('test', ...args)
  if (code !== 0) return code
  const counts = countLines(readFileSync(ENDINGS, 'utf8'))
  const described = [...counts].map(([ending, count]) => `${count} ${ending}`).join(', ')
  console.log(`Histories of the presale: ${described}.`)
  const missing = missingEndings(counts)
  if (missing.length > 0) console.error(`No history was ${missing.join(' or ')}: change PresaleHandler.sol.`)
  return missing.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))
