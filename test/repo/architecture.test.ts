import { describe, expect, it } from 'vitest'
import { SITE_SOURCES } from '../../dev/stack/site.ts'
import { findCircles } from './sources/circles.ts'
import { isTest } from './sources/files.ts'
import { type Import, type Module, readModules } from './sources/modules.ts'

const modules = readModules()
const sources = modules.filter((module) => !isTest(module))
const inFolder = (...folders: string[]): Module[] =>
  sources.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))

/** Every import that a rule forbids, as `file -> target`. */
const offences = (files: readonly Module[], isForbidden: (target: string, one: Import) => boolean): string[] =>
  files.flatMap(({ path, imports }) =>
    imports.filter((one) => isForbidden(one.target, one)).map(({ target }) => `${path} -> ${target}`),
  )

/** The folders that each folder may import. `ops`, `dev`, `test` and `bench` are missing from all: nothing that ships imports them. */
const LAYERS: Record<string, RegExp> = {
  protocol: /^protocol\//,
  contracts: /^contracts\//,
  db: /^(db|protocol)\//,
  // Of these only two entries, by the rule below, import the MCP server.
  worker: /^(worker|db|protocol|client\/mcp)\//,
  facilitator: /^(facilitator\/|db\/|protocol\/|contracts\/(abi|checks)\/|worker\/config\/(reader|schemas)\.ts$)/,
  client: /^(client|protocol|worker)\//,
  web: /^(web|protocol|worker|client|contracts\/(abi|checks))\/|^contracts\/launch\/|^wrangler\.toml/,
  ops: /^(ops|protocol|worker|db|client|contracts\/(abi|checks|script))\/|^facilitator\/env\.ts$/,
  dev: /^(dev|protocol|db|client|facilitator|contracts|worker)\//,
}
const FOLDERS = /^(protocol|worker|db|web|client|facilitator|contracts|ops|dev|test|bench|\.ci)\//

/**
 * The floors of the worker, from the top: a file imports its own floor and those below it, types included. `entry` builds the parts and
 * starts them, `http` is all that Hono sees, `domain` has the rules, `upstreams` the outside services.
 */
const FLOORS: readonly [name: string, files: RegExp][] = [
  ['entry', /^worker\/((index|app|make-deps)\.ts$|node\/|mcp\/)/],
  ['http', /^worker\/http\//],
  ['domain', /^worker\/domain\//],
  ['upstreams', /^worker\/upstreams\//],
  ['config', /^worker\/config\//],
  ['x402', /^worker\/x402\//],
  ['errors', /^worker\/errors\.ts$/],
  ['lib', /^worker\/lib\//],
  ['db', /^db\//],
  ['protocol', /^protocol\//],
]
const floorOf = (path: string): number => FLOORS.findIndex(([, files]) => files.test(path))

/**
 * The folder below the top one, or below `worker/domain` and `worker/upstreams`. A file without such a folder counts alone, and so do the
 * configurations of the builds, which use all of a site.
 */
function placeOf(path: string): string {
  if (path.endsWith('/vite.config.ts')) return path
  const folders = path.split('/').slice(0, -1)
  const depth = /^worker\/(domain|upstreams)\//.test(path) ? 3 : 2
  return folders.length < depth ? path : folders.slice(0, depth).join('/')
}

describe('floors', () => {
  it('behavior: each file of the worker, of db and of protocol stands on a floor', () => {
    const files = inFolder('worker', 'db', 'protocol').filter(({ path }) => floorOf(path) === -1)
    expect(files.map(({ path }) => path)).toEqual([])
  })

  it('behavior: a file imports its own floor and the floors below, types included', () => {
    const up = inFolder('worker', 'db', 'protocol').flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => floorOf(target) !== -1 && floorOf(target) < floorOf(path))
        .map(({ target }) => `${path} -> ${target}`),
    )
    expect(up).toEqual([])
  })

  it('behavior: protocol uses no package', () => {
    expect(offences(inFolder('protocol'), (target) => !target.startsWith('protocol/'))).toEqual([])
  })

  it('behavior: no second-level folders import each other in a circle, types included', () => {
    expect(findCircles(inFolder(...Object.keys(LAYERS)), { placeOf, withTypes: true })).toEqual([])
  })
})

describe('layers', () => {
  it.each(Object.entries(LAYERS))('behavior: %s imports only what its layer allows', (folder, allowed) => {
    const files = inFolder(folder)
    expect(files.length).toBeGreaterThan(3)
    expect(offences(files, (target) => FOLDERS.test(target) && !allowed.test(target))).toEqual([])
  })

  it('behavior: nothing imports ops, except tests', () => {
    expect(
      offences(
        sources.filter(({ path }) => !path.startsWith('ops/')),
        (target) => target.startsWith('ops/'),
      ),
    ).toEqual([])
  })

  it('behavior: of the worker only the entries node and mcp import the MCP server', () => {
    const others = inFolder('worker').filter(({ path }) => !/^worker\/(node|mcp)\//.test(path))
    expect(offences(others, (target) => target.startsWith('client/'))).toEqual([])
    const isOther = (target: string): boolean => /^client\/(?!mcp\/http\/(api|server)\.ts$)/.test(target)
    expect(offences(inFolder('worker/node', 'worker/mcp'), isOther)).toEqual([])
  })

  it('behavior: client and web take types from the worker, no values', () => {
    expect(
      offences(
        inFolder('client/src', 'client/node', 'client/cli', 'client/mcp', 'web/site/src'),
        (target, { isType }) => !isType && /^(worker|db)\//.test(target),
      ),
    ).toEqual([])
  })

  it('behavior: a change of what the sites import builds them again', () => {
    const isSource = (path: string): boolean => SITE_SOURCES.folders.some((folder) => path.startsWith(`${folder}/`))
    // Scripts that are run by hand write files, and those are sources.
    const byHand = /^(web\/scripts|contracts\/script|client\/(cli|mcp))\//
    const builds = sources.filter(({ path }) => isSource(path) && !byHand.test(path))
    const isStale = (target: string): boolean => {
      const path = target.replace('@coinslot/', '')
      return FOLDERS.test(path) && !isSource(path)
    }
    expect(offences(builds, (target, { isType }) => !isType && isStale(target))).toEqual([])
  })

  it('behavior: the site reads its texts from messages/active.ts only', () => {
    const readers = inFolder('web/site/src').filter(({ path }) => !path.startsWith('web/site/src/messages/'))
    const dictionary = /^web\/src\/messages\/(?!active|load|examples|en-docs)/
    expect(offences(readers, (target) => dictionary.test(target))).toEqual([])
  })

  it('behavior: only make-deps.ts and the entries build adapters', () => {
    const adapter =
      /(viem-chain|replicate|http-facilitator|skip-facilitator)\.ts$|^worker\/upstreams\/store\/s3\.ts$|^db\/(neon|pg)\.ts$/
    expect(
      offences(
        inFolder('worker').filter(({ path }) => !/^worker\/(make-deps\.ts|node\/)/.test(path)),
        (target) => adapter.test(target),
      ),
    ).toEqual([])
  })

  it('behavior: nothing below http imports the HTTP framework', () => {
    const domain = inFolder('worker/domain', 'worker/upstreams', 'worker/x402', 'worker/lib')
    expect(offences(domain, (target) => /^hono/.test(target))).toEqual([])
  })

  it('behavior: pricing imports only models/model.ts and itself', () => {
    expect(
      offences(
        inFolder('worker/domain/pricing'),
        (target) => !/^(protocol\/money\.ts|worker\/domain\/(pricing\/|models\/model\.ts))/.test(target),
      ),
    ).toEqual([])
  })

  it('behavior: only db imports drizzle', () => {
    expect(offences(inFolder('worker', 'facilitator'), (target) => /^drizzle-orm(\/|$)/.test(target))).toEqual([])
  })

  it('behavior: the local stack imports no domain code of the worker', () => {
    expect(offences(inFolder('dev'), (target) => /^worker\/(domain|http)\//.test(target))).toEqual([])
  })

  it('behavior: no folders import each other in a circle', () => {
    expect(findCircles(inFolder(...Object.keys(LAYERS), 'bench', 'test'))).toEqual([])
  })
})

describe('habits of the code', () => {
  const shipped = inFolder('worker', 'db', 'facilitator')
  const withText = (files: readonly Module[], pattern: RegExp): string[] =>
    files.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

  it('behavior: domain code reads the clock and randomness from its dependencies', () => {
    // iron-session opens seals by the clock of the machine, so what keeps them does too.
    const isSealed = ({ path }: Module): boolean => path === 'worker/domain/auth/session.ts'
    const domain = inFolder('worker/domain', 'worker/x402', 'worker/http/routes').filter((file) => !isSealed(file))
    expect(withText(domain, /Date\.now\(\)|new Date\(\)|Math\.random\(\)/)).toEqual([])
  })

  it("behavior: the worker never reads the facilitator's private key", () => {
    expect(withText(inFolder('worker'), /FACILITATOR_PRIVATE_KEY/)).toEqual([])
  })

  it('behavior: zod and viem are imported in the ways that keep the bundle small', () => {
    expect(withText(shipped, /import \{[^}]*\bz\b[^}]*\} from 'zod'|createPublicClient/)).toEqual([])
  })
})
