import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_RATE } from '../../worker/config/env.ts'
import { openapiDocument } from '../../worker/http/openapi/document.ts'

// Writes docs/openapi.json, so that a change of the API shows in a diff. The worker serves the same document, with its own prices.
// With `--check` it fails when that file is not current.

const TARGET = join(import.meta.dirname, '../../docs/openapi.json')

const document = openapiDocument({ ratePerSec: DEFAULT_RATE, publicOrigins: ['https://coinslot.example'] })
const made = `${JSON.stringify(document, null, 2)}\n`
if (process.argv.includes('--check')) {
  if ((await readFile(TARGET, 'utf8').catch(() => '')) !== made) {
    console.error('docs/openapi.json is not current: run `npm run generate -- openapi`')
    process.exitCode = 1
  }
} else {
  await writeFile(TARGET, made)
}
