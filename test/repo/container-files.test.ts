import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

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

const PINNED_IMAGE = /^[\w./-]+:(RELEASE\.)?\d[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/

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
    }),
  ),
  configs: z.record(z.string(), z.object({ file: z.string() })),
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
  const found = new Set(['worker/node/build.ts', 'worker/node/main.ts', 'facilitator/main.ts', 'db/migrate.ts'])
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
  const files = Object.values(compose.configs).map(({ file }) => file)
  for (const file of files.filter((name) => name.endsWith('.json'))) JSON.parse(read(file))
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
