import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROBLEMS } from '../../protocol/problems.ts'

// Joins the worker's table of codes with docs/problems.json, for the site's build.
// `node web/scripts/problems.ts` writes web/site/src/generated/problems.json; with `--check` it fails when that file is not current.

const ROOT = join(import.meta.dirname, '../..')
const TARGET = join(ROOT, 'web/site/src/generated/problems.json')

async function make(): Promise<string> {
  const texts: Record<string, { cause?: unknown; cure?: unknown } | undefined> = JSON.parse(
    await readFile(join(ROOT, 'docs/problems.json'), 'utf8'),
  )
  const problems = Object.entries(PROBLEMS).map(([code, { status, title }]) => {
    const text = texts[code]
    if (typeof text?.cause !== 'string' || typeof text.cure !== 'string') {
      throw new Error(`docs/problems.json says nothing about ${code}`)
    }
    return { code, status, title, cause: text.cause, cure: text.cure }
  })
  return `${JSON.stringify(problems, null, 2)}\n`
}

const made = await make()
if (process.argv.includes('--check')) {
  if ((await readFile(TARGET, 'utf8').catch(() => '')) !== made) {
    console.error('web/site/src/generated/problems.json is not current: run `npm run generate -- problems`')
    process.exitCode = 1
  }
} else {
  await writeFile(TARGET, made)
}
