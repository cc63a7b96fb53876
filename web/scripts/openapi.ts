import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_RATE } from '../../worker/config/env.ts'
import { openapiDocument } from '../../worker/openapi/document.ts'

// Writes docs/openapi.json, so that a change of the API shows in a diff. The worker serves the same document, with its own prices.

const document = openapiDocument({ ratePerSec: DEFAULT_RATE, publicOrigins: ['https://coinslot.example'] })
await writeFile(join(import.meta.dirname, '../../docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`)
