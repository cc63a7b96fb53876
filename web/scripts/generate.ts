import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROBLEMS } from '../../protocol/problems.ts'
import { DEFAULT_RATE } from '../../worker/config/env.ts'
import { catalogue } from '../../worker/domain/models/catalogue.ts'
import { DEFAULT_SECONDS, estimateCostUsdc } from '../../worker/domain/pricing/price.ts'
import { openapiDocument } from '../../worker/http/openapi/document.ts'

// `node web/scripts/generate.ts NAME` writes a file that is made from the worker. With `--check` it fails when that file is not current.

const ROOT = join(import.meta.dirname, '../..')

const GENERATED: Readonly<Record<string, { file: string; make: () => unknown }>> = {
  /** The API, so that a change shows in a diff. The worker serves the same document, with its own prices. */
  openapi: {
    file: 'docs/openapi.json',
    make: () => openapiDocument({ ratePerSec: DEFAULT_RATE, publicOrigins: ['https://coinslot.example'] }),
  },
  /** The worker's table of codes joined with docs/problems.json, for the site's build. */
  problems: { file: 'web/site/src/generated/problems.json', make: problems },
  /** Name and starting price of each model, for the first paint of the site. */
  models: {
    file: 'web/site/src/generated/models.json',
    make: () =>
      catalogue.map(({ id, name, task }) => ({
        id,
        name,
        task,
        startUsdc: estimateCostUsdc(task, DEFAULT_RATE, DEFAULT_SECONDS[task]),
      })),
  },
}

async function problems() {
  const texts: Record<string, { cause?: unknown; cure?: unknown } | undefined> = JSON.parse(
    await readFile(join(ROOT, 'docs/problems.json'), 'utf8'),
  )
  return Object.entries(PROBLEMS).map(([code, { status, title }]) => {
    const { cause, cure } = texts[code] ?? {}
    if (typeof cause !== 'string' || typeof cure !== 'string') {
      throw new Error(`docs/problems.json says nothing about ${code}`)
    }
    return { code, status, title, cause, cure }
  })
}

const [name = '', flag] = process.argv.slice(2)
const generated = GENERATED[name]
if (generated === undefined) throw new Error(`name one of ${Object.keys(GENERATED).join(', ')}`)
const path = join(ROOT, generated.file)
const made = `${JSON.stringify(await generated.make(), null, 2)}\n`
if (flag !== '--check') await writeFile(path, made)
else if ((await readFile(path, 'utf8').catch(() => '')) !== made) {
  console.error(`${generated.file} is not current: run \`npm run generate -- ${name}\``)
  process.exitCode = 1
}
