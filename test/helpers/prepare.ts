import { migratedTemplate } from '../../dev/neon/template.ts'
import { ensureSites } from '../../dev/stack/site.ts'
import { bundleMcp, bundleWorker } from '../../dev/worker/bundle.ts'
import { sharePostgres } from './postgres.ts'

/**
 * Vitest's global setup: makes once what test files would otherwise each make when they start together. Every project needs
 * the database template; the one that starts stacks also needs the worker's bundle, the site and a PostgreSQL. Returns what to end.
 */
export default async function prepare({ name }: { name: string }): Promise<(() => Promise<void>) | undefined> {
  await migratedTemplate()
  if (name !== 'stack' && name !== 'long') return undefined
  const site = ensureSites((text) => process.stderr.write(`${text}\n`))
  await Promise.all([bundleWorker(), bundleMcp(), site])
  // Last, since nothing ends the server when another part fails.
  return sharePostgres()
}
