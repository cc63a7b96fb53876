import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogue } from '../../worker/domain/models/catalogue.ts'
import { DEFAULT_SECONDS, estimateCostUsdc } from '../../worker/domain/pricing/price.ts'

// Writes web/site/src/generated/models.json: name and starting price of each model, for the first paint of the site.
// With `--check` it fails when that file is not current.

const TARGET = join(import.meta.dirname, '../site/src/generated/models.json')
/** USDC per second, as a deployment has it by default. */
const RATE = '0.001'

const rows = catalogue.map(({ id, name, task }) => ({
  id,
  name,
  task,
  startUsdc: estimateCostUsdc(task, RATE, DEFAULT_SECONDS[task]),
}))
const made = `${JSON.stringify(rows, null, 2)}\n`

if (process.argv.includes('--check')) {
  if ((await readFile(TARGET, 'utf8').catch(() => '')) !== made) {
    console.error('web/site/src/generated/models.json is not current: run `npm run generate -- models`')
    process.exitCode = 1
  }
} else {
  await writeFile(TARGET, made)
}
