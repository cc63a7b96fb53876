import { access, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build, mergeConfig } from 'vite'
import { programBuild } from './program.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Programs of the container image, each built to one file that needs no `node_modules`. */
const PROGRAMS = {
  server: 'worker/node/main.ts',
  facilitator: 'facilitator/main.ts',
  migrate: 'db/migrate.ts',
  bucket: 'worker/node/bucket.ts',
}

async function bundle(out: string, name: string, entry: string): Promise<void> {
  const output = { entryFileNames: '[name].mjs', codeSplitting: false }
  await build(mergeConfig(programBuild(ROOT, out, name, join(ROOT, entry)), { build: { rolldownOptions: { output } } }))
}

/** Lays out a folder as the image has it: the programs, the migrations beside them, the site. Throws when that is not built. */
export async function buildNode(out: string, site: string): Promise<void> {
  await access(join(site, 'index.html')).catch((cause: unknown) => {
    throw new Error('The site is not built: run `npm run build` first.', { cause })
  })
  await rm(out, { recursive: true, force: true })
  for (const [name, entry] of Object.entries(PROGRAMS)) await bundle(out, name, entry)
  for (const folder of ['migrations', 'functions'])
    await cp(join(ROOT, 'db', folder), join(out, folder), { recursive: true })
  await cp(site, join(out, 'site'), { recursive: true })
}

if (import.meta.main) {
  buildNode(join(ROOT, 'dist'), join(ROOT, 'web/dist')).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
}
