import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { assertSource, builtFolder, lastBuiltFolder, ROOT, type Sources } from './built-folder.ts'

const CACHE = join(ROOT, 'node_modules/.cache')
let folder: string
let cache: string
let sources: Sources

beforeEach(async () => {
  folder = await mkdtemp(join(CACHE, 'sources-'))
  cache = await mkdtemp(join(CACHE, 'built-'))
  sources = { files: [], folders: [relative(ROOT, folder)] }
  await writeFile(join(folder, 'a.ts'), 'one')
})
afterEach(() => Promise.all([folder, cache].map((path) => rm(path, { recursive: true, force: true }))))

const makeBuild = () => vi.fn((out: string) => writeFile(join(out, 'made'), 'something'))
const build = (work: (out: string) => Promise<unknown>) => builtFolder(relative(CACHE, cache), sources, work)

test('default: unchanged sources are built once; a changed or new file builds again', async () => {
  const work = makeBuild()
  const first = await build(work)
  expect(await readFile(join(first, 'made'), 'utf8')).toBe('something')
  expect(await build(work)).toBe(first)
  await writeFile(join(folder, 'a.ts'), 'two')
  const second = await build(work)
  await writeFile(join(folder, 'b.ts'), '')
  const third = await build(work)
  await rm(join(folder, 'b.ts'))
  expect(await build(work)).toBe(second)
  expect(new Set([first, second, third]).size).toBe(3)
  expect(work).toHaveBeenCalledTimes(3)
})

test('behavior: who may read the sources may read what was built', async () => {
  await mkdir(join(folder, 'new'))
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode
  expect(await modeOf(await build(makeBuild()))).toBe(await modeOf(join(folder, 'new')))
})

test('behavior: a changed test builds nothing, and nothing that was built does', async () => {
  const work = makeBuild()
  await build(work)
  await writeFile(join(folder, 'a.test.ts'), 'one')
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/a.js'), 'one')
  await build(work)
  expect(work).toHaveBeenCalledTimes(1)
})

test('behavior: two starts at once use the same folder', async () => {
  const [one, other] = await Promise.all([build(makeBuild()), build(makeBuild())])
  expect(one).toBe(other)
  expect(await readdir(cache)).toHaveLength(1)
})

test('error: a failed build is thrown and leaves nothing', async () => {
  const failing = build(async (out) => {
    await writeFile(join(out, 'half'), '')
    throw new Error('does not compile')
  })
  await expect(failing).rejects.toThrow('does not compile')
  expect(await readdir(cache)).toEqual([])
})

test('behavior: the last folder that was used can be had without its sources', async () => {
  const name = relative(CACHE, cache)
  expect(await lastBuiltFolder(name)).toBeNull()
  const first = await build(makeBuild())
  await utimes(first, new Date(0), new Date(0))
  await writeFile(join(folder, 'a.ts'), 'two')
  const second = await build(makeBuild())
  await writeFile(join(folder, 'a.ts'), 'broken')
  await expect(build(() => Promise.reject(new Error('does not compile')))).rejects.toThrow('does not compile')
  expect(await lastBuiltFolder(name)).toBe(second)
})

test.each([
  ['worker/app.ts', null],
  ['wrangler.toml', null],
  ['node_modules/viem/index.ts', null],
  ['worker-copy/app.ts', 'The build reads worker-copy/app.ts: add its folder to the sources of the build.'],
  ['client/src/types.ts', 'The build reads client/src/types.ts: add its folder to the sources of the build.'],
])('error: a build that reads %s of another folder than its sources', (path, error) => {
  const check = () => assertSource(join(ROOT, path), { files: ['wrangler.toml'], folders: ['worker'] })
  if (error === null) expect(check).not.toThrow()
  else expect(check).toThrow(error)
})
