import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { handWritten } from './sources/files.ts'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ version: z.string().optional(), integrity: z.string().optional(), link: z.boolean().optional() }),
  ),
})
const lock = lockSchema.parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package-lock.json'), 'utf8')))
const installed = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'))
const copiesOf = (name: string) => installed.filter(([path]) => path.endsWith(`node_modules/${name}`))

const isAtLeast = (version: string, floor: string): boolean =>
  version.localeCompare(floor, 'en', { numeric: true, sensitivity: 'base' }) >= 0

it('behavior: every copy of Hono is newer than the versions with known vulnerabilities', () => {
  const copies = copiesOf('hono')
  expect(copies.length).toBeGreaterThan(0)
  const old = copies.filter(([, { version = '0' }]) => !isAtLeast(version, '4.13.7'))
  expect(old.map(([path, { version }]) => `${path} ${version}`)).toEqual([])
})

it('behavior: every package that is fetched is pinned by its hash', () => {
  const loose = installed.filter(([, entry]) => entry.link !== true && entry.integrity === undefined)
  expect(loose.map(([path]) => path)).toEqual([])
})

const textOf = (path: string): string => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')
const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})
const manifest = (path: string) => manifestSchema.parse(JSON.parse(textOf(path)))

it('error: M7 miniflare is pinned at the one version that wrangler runs', () => {
  const pinned = manifest('package.json').devDependencies['miniflare']
  expect(pinned).toBe(manifest('node_modules/wrangler/package.json').dependencies['miniflare'])
  expect(copiesOf('miniflare').map(([, { version }]) => version)).toEqual([pinned])
})

it('error: M7 a package installed under the name of another is explained in decision 1', () => {
  const { dependencies, devDependencies } = manifest('package.json')
  const renamed = Object.values({ ...dependencies, ...devDependencies }).filter((range) => range.startsWith('npm:'))
  const packages = renamed.map((range) => range.slice('npm:'.length, range.lastIndexOf('@')))
  expect(packages).toContain('@signinwithethereum/siwe')
  const decision = textOf('docs/decisions/0001-toolchain.md')
  expect(packages.filter((name) => !decision.includes(`\`${name}\``))).toEqual([])
})

it('behavior: packages are taken as published: no alias, no step before wrangler', () => {
  const configs = handWritten(/(^|\/)(wrangler\.toml|vite(st)?\.config\.ts)$/)
  expect(configs.length).toBeGreaterThan(4)
  expect(configs.filter(({ text }) => /^\[(alias|build)\]|\balias\b:/m.test(text)).map(({ path }) => path)).toEqual([])
})

it('behavior: no code that ships imports by a path into node_modules', () => {
  const sources = handWritten(/^(protocol|worker|db|client|mcp|facilitator|web|ops)\/.*\.(ts|tsx|mjs)$/)
  const importing = sources.filter(({ text }) => /(from|import) ?\(?['"][^'"]*node_modules\//.test(text))
  expect(importing.map(({ path }) => path)).toEqual([])
})
