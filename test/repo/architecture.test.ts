import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

interface SourceFile {
  path: string
  text: string
  /** Repository paths of relative imports, package names of others; `typeOnly` for `import type`. */
  imports: { target: string; typeOnly: boolean }[]
}

function sourcesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx)$/.test(name) && !name.includes('node_modules') && !name.includes('dist'))
    .map((name) => readSource(join(root, folder, name)))
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8')
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'/gm)
  const imports = [...found].map(([, type, target = '']) => ({
    target: target.startsWith('.') ? relative(root, resolve(dirname(file), target)) : target,
    typeOnly: type !== undefined,
  }))
  return { path: relative(root, file), text, imports }
}

const isTest = (file: SourceFile): boolean => /\.test\.tsx?$/.test(file.path)
const worker = sourcesIn('worker')
const shipped = [...worker, ...sourcesIn('db'), ...sourcesIn('facilitator')].filter((file) => !isTest(file))

/** Every import that a rule forbids, as `file -> target`. */
const offences = (files: SourceFile[], forbidden: (target: string, file: SourceFile) => boolean): string[] =>
  files.flatMap((file) =>
    file.imports.filter(({ target }) => forbidden(target, file)).map(({ target }) => `${file.path} -> ${target}`),
  )

describe('who may import whom', () => {
  it('behavior: nothing that ships knows the local stack, the tests or the benchmarks', () => {
    expect(offences(shipped, (target) => /^(dev|test|bench)\//.test(target))).toEqual([])
  })

  it('behavior: the facilitator shares with the worker how variables are read, and nothing else; nobody ships it a key', () => {
    const facilitator = shipped.filter(({ path }) => path.startsWith('facilitator/'))
    const shared = /^worker\/(config\/(reader|schemas)|networks)\.ts$/
    expect(offences(facilitator, (target) => target.startsWith('worker/') && !shared.test(target))).toEqual([])
    expect(
      offences(shipped, (target, { path }) => target.startsWith('facilitator/') && !path.startsWith('facilitator/')),
    ).toEqual([])
    const keyed = worker.filter((file) => !isTest(file) && /FACILITATOR_PRIVATE_KEY/.test(file.text))
    expect(keyed.map(({ path }) => path)).toEqual([])
  })

  it('behavior: pricing is pure', () => {
    const pricing = shipped.filter(({ path }) => path.startsWith('worker/pricing/'))
    expect(pricing.length).toBeGreaterThan(3)
    const allowed = /^worker\/(pricing\/|models\/model\.ts$)/
    expect(offences(pricing, (target) => !allowed.test(target))).toEqual([])
  })

  it('behavior: adapters are built in deps.ts alone', () => {
    const adapter =
      /(viem-chain|replicate|http-facilitator|skip-facilitator)\.ts$|^worker\/storage\/s3\.ts$|^db\/(neon|pg)\.ts$/
    const others = shipped.filter(({ path }) => !/^worker\/(deps|node)\b|^db\//.test(path))
    expect(offences(others, (target) => adapter.test(target))).toEqual([])
  })

  it('behavior: SQL is written in db alone', () => {
    const others = worker.filter((file) => !isTest(file))
    expect(offences(others, (target) => target === 'drizzle-orm' || target.startsWith('drizzle-orm/'))).toEqual([])
  })

  it('behavior: the domain does not know HTTP frameworks, routes or middleware', () => {
    const domain = shipped.filter(({ path }) => /^worker\/(inference|staking|models|payments|pricing)\//.test(path))
    expect(offences(domain, (target) => /^hono|^worker\/(routes|middleware)\//.test(target))).toEqual([])
  })

  it('behavior: the site takes types and generated data from outside, no values of the worker', () => {
    const site = sourcesIn('web/src').filter((file) => !isTest(file))
    const values = site.flatMap((file) =>
      file.imports.filter((i) => !i.typeOnly && /^(worker|db|dev)\//.test(i.target)),
    )
    expect(values).toEqual([])
  })

  it('behavior: the local stack shares no code with the domain it is there to test', () => {
    const stack = sourcesIn('dev').filter((file) => !isTest(file))
    expect(offences(stack, (target) => /^worker\/(inference|routes|staking|auth|middleware)\//.test(target))).toEqual(
      [],
    )
  })

  it('behavior: domain code asks the clock it is given', () => {
    const domain = shipped.filter(({ path }) => /^worker\/(inference|staking|pricing|payments|routes)\//.test(path))
    const offenders = domain.filter(({ text }) => /Date\.now\(\)|new Date\(\)|Math\.random\(\)/.test(text))
    expect(offenders.map(({ path }) => path)).toEqual([])
  })

  it('behavior: zod and viem are imported in the ways that keep the bundle small', () => {
    const offenders = shipped.filter(({ text }) =>
      /import \{[^}]*\bz\b[^}]*\} from 'zod'|createPublicClient/.test(text),
    )
    expect(offenders.map(({ path }) => path)).toEqual([])
  })
})
