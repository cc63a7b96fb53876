import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { ADDRESS_VARIABLES } from '../../web/dashboard/variables.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Builds the site as it is shipped. */
export const buildSite = (outDir: string): Promise<void> => runVite('web/site', outDir, {})

/** Builds a folder with these variables besides those of the shell. */
async function runVite(root: string, outDir: string, variables: Record<string, string>): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const args = [vite, 'build', root, '--outDir', outDir, '--emptyOutDir']
  // A test runner's NODE_ENV would bring the development build of the framework.
  const env = { ...process.env, ...variables, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, timeout: 120_000 })
}

/** Any address: the size of the script does not depend on it. */
const ADDRESS = '0x1005Dc00000000000000000000000000000005dC'

/** Builds the dashboard as it is shipped. Returns the bytes of its gzipped script. */
export async function dashboardBytes(outDir: string): Promise<number> {
  const addresses = Object.fromEntries(Object.values(ADDRESS_VARIABLES).map((name) => [name, ADDRESS]))
  await runVite('web/dashboard', outDir, addresses)
  const files = (await readdir(join(outDir, 'assets'))).filter((name) => name.endsWith('.js'))
  const sizes = files.map(async (name) => gzipSync(await readFile(join(outDir, 'assets', name)), { level: 9 }).length)
  const bytes = await Promise.all(sizes)
  return bytes.reduce((a, b) => a + b, 0)
}

const chunkSchema = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
})
const manifestSchema = z.record(z.string(), chunkSchema)
type Manifest = z.infer<typeof manifestSchema>

/** The bytes that a visitor of the English pages has loaded by then, by the sources whose chunks it takes. */
const STAGES = {
  'first paint': ['index.html', 'src/messages/en.ts'],
  'after connecting': ['src/lib/wallet/sign-in.ts', 'src/messages/en-purchase.ts'],
  'after paying': [
    'src/primitives/make-purchase.ts',
    'src/components/payment-dialog.tsx',
    'src/components/result-panel-content.tsx',
  ],
} as const
type Stage = keyof typeof STAGES

/** Bytes of gzipped script at most, for the benchmark and the test; null where there is no bound. */
export const MOST_BYTES = {
  'first paint': 30_000,
  'after connecting': null,
  'after paying': 66_000,
} as const satisfies Record<Stage, number | null>

/** Bytes of gzipped script that a visitor of a built site has loaded at each stage, the earlier ones included. */
export async function scriptBytes(dist: string): Promise<Record<Stage, number>> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')))
  const loaded = new Set<string>()
  const bytesAfter = async (stage: Stage): Promise<number> => {
    for (const source of STAGES[stage]) load(manifest, source, loaded)
    const sizes = [...loaded].map(async (file) => gzipSync(await readFile(join(dist, file)), { level: 9 }).length)
    return (await Promise.all(sizes)).reduce((a, b) => a + b, 0)
  }
  return {
    'first paint': await bytesAfter('first paint'),
    'after connecting': await bytesAfter('after connecting'),
    'after paying': await bytesAfter('after paying'),
  }
}

function load(manifest: Manifest, source: string, loaded: Set<string>): void {
  const chunk = manifest[source]
  if (chunk === undefined) throw new Error(`the site has no chunk of ${source}`)
  if (loaded.has(chunk.file)) return
  loaded.add(chunk.file)
  for (const name of chunk.imports) load(manifest, name, loaded)
}
