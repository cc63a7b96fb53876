import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache')
const DAY_MS = 86_400_000

/** Folders of the contracts that programs and sites import, and nothing that a test of them writes. */
export const CONTRACT_SOURCES = ['abi', 'checks', 'launch', 'script'].map((name) => `contracts/${name}`)

/**
 * The sources of a built folder, from the root of the repository, the code that builds it included. Left out are tests, what was built,
 * and installed packages: the lock file is in.
 */
export interface Sources {
  files: readonly string[]
  folders: readonly string[]
}

/**
 * The folder that `build` made of these sources, now or earlier: unchanged sources are not built again. `name` is the cache's name.
 * Where several folders have the same sources, each takes the same `hash` of them. Throws what `build` throws, and then keeps nothing.
 */
export async function builtFolder(
  name: string,
  sources: Sources,
  build: (out: string) => Promise<unknown>,
  hash = hashSources(sources),
): Promise<string> {
  const cache = join(CACHE, name)
  const dir = join(cache, await hash)
  if (!(await readdir(dir).catch(() => null))) {
    // Not a temporary folder of node's: only its owner could read that, and the container runs as another user.
    const partial = `${dir}.${randomUUID()}`
    await mkdir(partial, { recursive: true })
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

/** The folder of this name that was used last, whatever it was built from. Null when no folder has this name. */
export async function lastBuiltFolder(name: string): Promise<string | null> {
  const times = await useTimes(join(CACHE, name))
  return times.sort((one, other) => other.usedAtMs - one.usedAtMs)[0]?.dir ?? null
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
  const old = (await useTimes(cache)).filter(({ usedAtMs }) => Date.now() - usedAtMs > DAY_MS)
  for (const { dir } of old) await rm(dir, { recursive: true, force: true })
}

/** Built folders of a cache and when each was used last. */
async function useTimes(cache: string): Promise<{ dir: string; usedAtMs: number }[]> {
  const names = (await readdir(cache).catch(() => [])).filter((entry) => /^[0-9a-f]{32}$/.test(entry))
  const found = names.map(async (name) => {
    const dir = join(cache, name)
    // Another stack may just have removed it.
    const stats = await stat(dir).catch(() => null)
    return stats === null ? [] : [{ dir, usedAtMs: stats.mtimeMs }]
  })
  return (await Promise.all(found)).flat()
}

/** Hash of all sources, for `builtFolder`. */
export async function hashSources({ files, folders }: Sources): Promise<string> {
  const all = [...files, 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json']
  for (const folder of folders) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    const found = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    all.push(...found.map((file) => file.slice(ROOT.length + 1)))
  }
  const sources = all.filter((file) => !/\.test\.ts$|\/\.?dist(-local)?\//.test(file)).sort()
  const contents = await Promise.all(sources.map((file) => readFile(join(ROOT, file))))
  // Built files may name others by their whole path.
  const hash = createHash('sha256').update(ROOT)
  for (const [index, file] of sources.entries()) hash.update(file).update(contents[index] ?? '')
  return hash.digest('hex').slice(0, 32)
}
