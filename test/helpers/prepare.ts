import { migratedTemplate } from '../../dev/neon/template.ts'
import { ensureSites } from '../../dev/stack/site.ts'
import { bundleMcp, bundleWorker } from '../../dev/worker/bundle.ts'

/**
 * Vitest's global setup: makes once what test files would otherwise each make when they start together. Every project needs
 * the database template; the one that starts stacks also needs the worker's bundle and the site.
 */
export default async function prepare({ name }: { name: string }): Promise<void> {
  await migratedTemplate()
  if (name !== 'stack' && name !== 'long') return
  const site = ensureSites((text) => process.stderr.write(`${text}\n`))
  await Promise.all([bundleWorker(), bundleMcp(), site])
}
