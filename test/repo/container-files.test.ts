import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { DEV_NETWORK, KNOWN_NETWORKS } from '../../protocol/networks.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const dockerfile = DockerfileParser.parse(read('Dockerfile'))
const [lastFrom] = dockerfile.getFROMs().slice(-1)
const instructions = dockerfile.getInstructions()
const ofLastStage = instructions.filter(
  (instruction) => instruction.getRange().start.line > (lastFrom?.getRange().start.line ?? 0),
)
const argumentsOf = (name: string): string[] =>
  ofLastStage.filter((i) => i.getKeyword() === name).map((i) => i.getArgumentsContent() ?? '')

const PINNED_IMAGE = /^[\w./-]+:v?\d[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      ports: z.array(z.string()).default([]),
      read_only: z.boolean().default(false),
      cap_drop: z.array(z.string()).default([]),
      security_opt: z.array(z.string()).default([]),
      stop_grace_period: z.string().optional(),
      environment: z.record(z.string(), z.string()).default({}),
      entrypoint: z.array(z.string()).default([]),
      command: z.array(z.string()).default([]),
    }),
  ),
  configs: z.record(z.string(), z.object({ file: z.string().optional(), content: z.string().optional() })),
})
const compose = composeSchema.parse(parse(read('compose.yaml'), { merge: true }))

test('default: the Dockerfile passes the linter', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
})

test('behavior: the base is pinned, and both stages build on the same one', () => {
  const base = instructions.find((i) => i.getKeyword() === 'ARG')?.getArgumentsContent() ?? ''
  expect(base.replace(/^NODE_IMAGE=/, '')).toMatch(PINNED_IMAGE)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the Dockerfile's own variable
  expect(dockerfile.getFROMs().map((from) => from.getImage())).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}'])
})

test('behavior: the image runs as a user without rights on port 3000, and checks /api/health', () => {
  expect(argumentsOf('USER')).toEqual(['1000:1000'])
  expect(argumentsOf('EXPOSE')).toEqual(['3000'])
  expect(argumentsOf('HEALTHCHECK').join()).toContain("'/api/health'")
  expect(argumentsOf('ENTRYPOINT')).toEqual(['["node"]'])
  expect(argumentsOf('COPY')).toEqual(['/src/dist/ ./'])
})

/** The names of what the build of the site reads, but for the switch that a build for production refuses. */
function buildVariables(): string[] {
  const files = readdirSync(join(ROOT, 'web/site'), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !/dist|node_modules/.test(path))
  const named = sources.flatMap((path) => read(join('web/site', path)).match(/\bNEXT_PUBLIC_[A-Z_]+[A-Z]\b/g) ?? [])
  const { [DEV_NETWORK]: _, ...networks } = KNOWN_NETWORKS
  const nodes = Object.values(networks).map(({ rpcVariable }) => `NEXT_PUBLIC_${rpcVariable}`)
  const names = new Set(['PUBLIC_ORIGIN', ...named, ...nodes])
  names.delete('NEXT_PUBLIC_ENABLE_DEV_CHAIN')
  return [...names].sort()
}

test('error: M3 what the site reads is an argument of the image and of compose.yaml', () => {
  const names = buildVariables()
  expect(names).toContain('NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID')
  const declared = instructions.filter((i) => i.getKeyword() === 'ARG').map((i) => i.getArgumentsContent() ?? '')
  const own = ['NODE_IMAGE', 'VERSION', 'REVISION']
  expect(
    declared
      .map((text) => text.split('=')[0] ?? '')
      .filter((name) => !own.includes(name))
      .sort(),
  ).toEqual(names)
  const passed = z
    .looseObject({ build: z.looseObject({ args: z.record(z.string(), z.string()) }) })
    .parse(parse(read('compose.yaml'), { merge: true })['x-program']).build.args
  expect(Object.keys(passed).sort()).toEqual(names)
  for (const name of names) expect(passed[name]).toBe(`\${${name}:-}`)
  const example = read('docs/deploy/env.example')
  for (const name of names) expect(example).toMatch(new RegExp(`^${name}=`, 'm'))
})

test('error: no secret is built into a layer', () => {
  const named = instructions.filter((i) => ['ARG', 'ENV'].includes(i.getKeyword())).map((i) => i.getArgumentsContent())
  expect(named.join(' ')).not.toMatch(/SECRET|TOKEN(?!_ADDRESS)|PRIVATE_KEY|DATABASE_URL|PASSWORD/)
})

test('error: nothing is sent to the builder unless it is named', () => {
  const [first, ...rest] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(first).toBe('*')
  expect(rest).toEqual(expect.arrayContaining(['**/.dev.vars*', '**/.env*', '**/node_modules']))
  const named = rest.filter((line) => line.startsWith('!') && !line.includes('*')).map((line) => line.slice(1))
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

/** Files that a module imports when it runs, as paths of the repository. */
const importsOf = (path: string): string[] =>
  [...read(path).matchAll(/^(?!(?:import|export) type ).*(?:from |import\()'(\.[^'?]+)'/gm)]
    .map((found) => join(dirname(path), found[1] ?? ''))
    .filter((target) => /\.tsx?$/.test(target) && existsSync(join(ROOT, target)))

test('error: every module that the image’s build reads is sent to the builder', () => {
  const sent = read('.dockerignore').match(/(?<=^!).*/gm) ?? []
  const found = new Set([
    'worker/node/build.ts',
    'worker/node/main.ts',
    'worker/node/bucket.ts',
    'facilitator/main.ts',
    'db/migrate.ts',
  ])
  for (const page of ['web/site/vite.config.ts', 'web/site/src/main.tsx']) found.add(page)
  for (const path of found) for (const target of importsOf(path)) found.add(target)
  expect(found.size).toBeGreaterThan(300)
  expect([...found].filter((path) => !sent.some((folder) => path.startsWith(`${folder}/`)))).toEqual([])
})

test('behavior: compose pins its images, opens local ports only, and restricts our programs', () => {
  const services = Object.entries(compose.services)
  const foreign = services.filter(([, { image }]) => image !== 'coinslot:local')
  expect(foreign.filter(([, { image }]) => !PINNED_IMAGE.test(image))).toEqual([])
  expect(services.flatMap(([, { ports }]) => ports).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  for (const name of ['server', 'facilitator', 'migrate']) {
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '30s',
    })
  }
  const files = Object.values(compose.configs).flatMap(({ file }) => (file === undefined ? [] : [file]))
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

const environmentOf = (name: string): Record<string, string> => compose.services[name]?.environment ?? {}
const accountsSchema = z.object({
  accessAccounts: z.record(z.string(), z.object({ access: z.string(), secret: z.string(), role: z.string() })),
})

test('error: M6 the S3 server is a maintained one, and its account API is not published', () => {
  const images = Object.values(compose.services).map(({ image }) => image)
  expect(images.filter((image) => image.startsWith('minio/'))).toEqual([])
  expect(compose.services['storage']).toMatchObject({
    image: expect.stringMatching(/^versity\/versitygw:v/),
    command: ['posix', '/data'],
    ports: ['127.0.0.1:9000:9000'],
  })
  expect(environmentOf('storage')).toMatchObject({ VGW_PORT: ':9000', VGW_ADMIN_PORT: '127.0.0.1:9001' })
})

test('error: M6 G8 the server has a separate key of the store, and never the root key', () => {
  const root = environmentOf('storage')['ROOT_SECRET_ACCESS_KEY'] ?? ''
  expect(root).toContain('STORAGE_ROOT_PASSWORD')
  const knowing = Object.keys(compose.services).filter((name) => Object.values(environmentOf(name)).includes(root))
  expect(knowing).toEqual(['storage', 'bucket'])
  const { accessAccounts } = accountsSchema.parse(JSON.parse(compose.configs['storage-accounts']?.content ?? ''))
  const server = environmentOf('server')
  const access = server['OBJECT_STORE_ACCESS_KEY_ID'] ?? ''
  expect(accessAccounts).toEqual({
    [access]: expect.objectContaining({ access, secret: server['OBJECT_STORE_SECRET_ACCESS_KEY'], role: 'user' }),
  })
  expect(environmentOf('bucket')).toMatchObject({
    OBJECT_STORE_ACCESS_KEY_ID: access,
    OBJECT_STORE_BUCKET_NAME: server['OBJECT_STORE_BUCKET_NAME'],
    PUBLIC_ORIGIN: expect.stringContaining('PUBLIC_ORIGIN'),
  })
})

test('error: M6 G8 no password is an argument of a process', () => {
  const words = Object.values(compose.services).flatMap(({ entrypoint, command }) => [...entrypoint, ...command])
  expect(words.filter((word) => /PASSWORD|SECRET|\$/.test(word))).toEqual([])
  expect(read('docs/deploy/roles.sql').match(/^\\getenv \w+ \w+_DATABASE_PASSWORD$/gm)).toHaveLength(3)
})

test('error: M6 every variable that compose.yaml requires is in the example', () => {
  const required = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
  expect(required.length).toBeGreaterThan(6)
  const example = read('docs/deploy/env.example')
  expect(required.filter((name) => !new RegExp(`^${name}=`, 'm').test(example))).toEqual([])
})

test('error: migrations, server and facilitator share no database role', () => {
  const roleOf = (name: string): string =>
    new URL(compose.services[name]?.environment['DATABASE_URL']?.replace(/\$\{[^}]*\}/g, 'x') ?? '').username
  const superuser = compose.services['postgres']?.environment['POSTGRES_USER']
  expect(new Set([roleOf('server'), roleOf('facilitator'), roleOf('migrate'), superuser]).size).toBe(4)
})

test('error: the server is never given the key that pays for gas', () => {
  expect(Object.keys(compose.services['server']?.environment ?? {})).not.toContain('FACILITATOR_PRIVATE_KEY')
  expect(read('docs/deploy/env.server.example')).not.toContain('FACILITATOR_PRIVATE_KEY')
})
