import { migratedTemplate } from '../neon/template.ts'
import { bundleProgram } from '../process/program-bundle.ts'
import { bundleMcp, bundleWorker } from '../worker/bundle.ts'
import { ensureSites } from './site.ts'

/** Fills the caches that the first start needs, so that it takes as long as any other. Run after each installation. */
const site = ensureSites((text) => process.stderr.write(`${text}\n`))
await Promise.all([migratedTemplate(), bundleWorker(), bundleMcp(), bundleProgram('services'), site])
