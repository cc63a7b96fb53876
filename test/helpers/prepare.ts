import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migratedTemplate } from '../../dev/neon/template.ts'
import { bundleProgram, PROGRAM_NAMES } from '../../dev/process/program-bundle.ts'
import { ensureSites } from '../../dev/stack/site.ts'
import { bundleMcp, bundleWorker } from '../../dev/worker/bundle.ts'
import { DATABASES_FOLDER } from './in-process-database.ts'
import { sharePostgres } from './postgres.ts'

/**
 * Vitest's global setup: makes once what test files would otherwise each make when they start together. Every project needs
 * the database template; the one that starts stacks also needs the bundles, the site and a PostgreSQL. Returns the teardown.
 */
export default async function prepare({ name }: { name: string }): Promise<() => Promise<void>> {
  await migratedTemplate()
  const stopPostgres = name === 'stack' || name === 'long' ? await prepareStacks() : undefined
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-databases-'))
  process.env[DATABASES_FOLDER] = folder
  return async () => {
    await stopPostgres?.()
    await rm(folder, { recursive: true, force: true })
  }
}

async function prepareStacks(): Promise<(() => Promise<void>) | undefined> {
  await Promise.all([bundleWorker(), bundleMcp(), ...PROGRAM_NAMES.map(bundleProgram), ensureSites()])
  // Last, since nothing ends the server when another part fails.
  return sharePostgres()
}
