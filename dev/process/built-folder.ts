import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache')
const DAY_MS = 86_400_000

/**
 * What a folder is built from, from the root of the repository, the code that builds it included. Left out are tests, what was built,
 * and installed packages: the lock file is in.
 */
export interface Sources {
  files: readonly string[]
  folders: readonly string[]
}

/**
 * The folder that `build` made of these sources, now or earlier: unchanged sources are not built again. `name` is the cache's name.
 * Throws what `build` throws, and then keeps nothing.
 */
export async function builtFolder(
  name: string,
  sources: Sources,
  build: (out: string) => Promise<unknown>,
): Promise<string> {
  const cache = join(CACHE, name)
  const dir = join(cache, await sourceHash(sources))
  if (!(await readdir(dir).catch(() => null))) {
    await mkdir(cache, { recursive: true })
    const partial = await mkdtemp(`${dir}.`)
    try {
      await build(partial)
      // A rename is atomic: another stack sees the whole folder or nothing. If it was faster, its folder is equal.
      await rename(partial, dir).catch(() => undefined)
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
    await dropOld(cache)
  }
  await utimes(dir, new Date(), new Date())
  return dir
}

/** Throws if a build reads a file of this repository, at its whole path, that is not one of its sources: its change would build nothing. */
export function assertSource(file: string, { files, folders }: Sources): void {
  const path = relative(ROOT, file)
  const known = ['..', 'node_modules', ...folders].some((folder) => path.startsWith(`${folder}/`))
  if (!known && !files.includes(path))
    throw new Error(`The build reads ${path}: add its folder to the sources of the build.`)
}

/** Removes folders that no stack used for a day. A newer one may be in use: a killed process reads it again. */
async function dropOld(cache: string): Promise<void> {
  for (const name of (await readdir(cache)).filter((entry) => /^[0-9a-f]{32}$/.test(entry))) {
    const dir = join(cache, name)
    const { mtimeMs } = await stat(dir).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > DAY_MS) await rm(dir, { recursive: true, force: true })
  }
}

async function sourceHash({ files, folders }: Sources): Promise<string> {
  const all = [...files, 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json']
  for (const folder of folders) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    const found = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    all.push(...found.map((file) => file.slice(ROOT.length + 1)))
  }
  const sources = all.filter((file) => !/\.test\.ts$|\/\.?dist(-local)?\//.test(file)).sort()
  const contents = await Promise.all(sources.map((file) => readFile(join(ROOT, file))))
  // What is built may name files by their whole path.
  const hash = createHash('sha256').update(ROOT)
  for (const [index, file] of sources.entries()) hash.update(file).update(contents[index] ?? '')
  return hash.digest('hex').slice(0, 32)
}
