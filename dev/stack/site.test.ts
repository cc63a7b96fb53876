import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../process/built-folder.ts'
import { ensureSite } from './site.ts'

const CACHE = join(ROOT, 'node_modules/.cache')
const hash = Promise.resolve('1'.repeat(32))
let broken: string
let cache: string

beforeEach(async () => {
  broken = await mkdtemp(join(CACHE, 'broken-'))
  cache = join(CACHE, `site-${basename(broken)}`)
  await writeFile(join(broken, 'vite.config.ts'), "throw new Error('a broken config')")
})
afterEach(() => Promise.all([broken, cache].map((path) => rm(path, { recursive: true, force: true }))))

test('error: a site that does not build: its last build is served and said, or it throws', async () => {
  const root = relative(ROOT, broken)
  const warnings: string[] = []
  const ensure = () => ensureSite(root, hash, (text) => warnings.push(text))
  await expect(ensureSite(root, hash)).rejects.toThrow(`${root} does not build: Command failed`)
  expect(await ensure()).toBeNull()
  const last = join(cache, '2'.repeat(32))
  await mkdir(last)
  expect(await ensure()).toBe(last)
  const [first, second] = warnings
  expect(first).toMatch(/a broken config[\s\S]*It is not served\.$/)
  expect(second).toMatch(/a broken config[\s\S]*Its last build is served\.$/)
})
