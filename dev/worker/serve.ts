import { rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import * as z from 'zod'
import { parseHeaderRules, parseRedirects, parseRewrites } from '../../worker/node/header-rules.ts'
import type { Reaper } from '../process/reaper.ts'
import { type Supervised, supervise } from '../process/supervisor.ts'
import type { Bundle } from './bundle.ts'
import { type SiteLayout, workerdConfig } from './workerd-config.ts'

export interface ServeOptions {
  bundle: Bundle
  /** The MCP server's bundle. */
  mcp: Bundle
  /** Variables of the worker, secrets included. The process environment carries them. */
  env: Record<string, string>
  port: number
  /** Folders of the built sites; null for one that is not served. */
  sites: { site: string | null; presale: string | null; dashboard: string | null } | null
  rpcUrl: string | null
  devInfo: unknown
  /** Folder for the configuration file. */
  dataDir: string
  logFile: string
  reaper: Reaper
  onDeath?(how: string): void
  onRestart?(pid: number): void
}

export interface ServedWorker extends Pick<Supervised<unknown>, 'pid' | 'kill' | 'stop'> {
  /** Runs the scheduled job once. Throws if it fails. */
  tick(): Promise<void>
}

const SOCKETS = ['http', 'ticker']

/** Serves a bundle in raw workerd, which is started again when it ends. */
export async function serveWorker(options: ServeOptions): Promise<ServedWorker> {
  // The path of a Unix socket may have about a hundred characters, and this folder's path can be longer.
  const tickerSocket = join(tmpdir(), `coinslot-${process.pid}-${options.port}.sock`)
  const configFile = join(options.dataDir, 'workerd.capnp')
  await writeFile(configFile, await configOf(options, tickerSocket))
  const process_ = await supervise<{ sockets: string[] }>({
    name: 'worker',
    logFile: options.logFile,
    reaper: options.reaper,
    launch: () => {
      rmSync(tickerSocket, { force: true })
      return {
        command: workerdBinary(),
        // Cap'n Proto looks absolute names of embedded files up in the import path.
        args: ['serve', '--experimental', '--control-fd=3', '--import-path=/', configFile],
        env: options.env,
        controlPipe: true,
      }
    },
    ready: (child, log) => {
      child.stdout?.on('data', (chunk) => log(String(chunk)))
      return untilListening(child.stdio[3])
    },
    onDeath: (how) => options.onDeath?.(how),
    onRestart: (_facts, pid) => options.onRestart?.(pid),
  })
  return {
    get pid() {
      return process_.pid
    },
    kill: () => process_.kill(),
    stop: async () => {
      await process_.stop()
      rmSync(tickerSocket, { force: true })
    },
    tick: () => fireScheduled(tickerSocket),
  }
}

async function configOf(options: ServeOptions, tickerSocket: string): Promise<string> {
  const { site, presale, dashboard } = options.sites ?? { site: null, presale: null, dashboard: null }
  const folders = [
    { path: '', binding: 'SITE', dir: site },
    { path: '/presale', binding: 'PRESALE', dir: presale },
    { path: '/dashboard', binding: 'DASHBOARD', dir: dashboard },
  ]
  const [routerCode, tickerCode, sites] = await Promise.all([
    embedded('router.ts'),
    embedded('ticker.ts'),
    Promise.all(folders.flatMap(({ dir, ...place }) => (dir === null ? [] : [siteOf({ ...place, dir })]))),
  ])
  return workerdConfig({
    ...options,
    variables: Object.keys(options.env),
    tickerSocket,
    sites,
    rpcAddress: options.rpcUrl === null ? null : new URL(options.rpcUrl).host,
    routerCode,
    tickerCode,
  })
}

async function siteOf(place: Pick<SiteLayout, 'path' | 'binding' | 'dir'>): Promise<SiteLayout> {
  const file = (name: string): Promise<string> => readFile(join(place.dir, name), 'utf8').catch(() => '')
  const [headers, addresses] = await Promise.all([file('_headers'), file('_redirects')])
  const [rewrites, redirects] = [parseRewrites(addresses), parseRedirects(addresses)]
  return { ...place, headers: parseHeaderRules(headers), rewrites, redirects }
}

async function embedded(name: string): Promise<string> {
  return stripTypeScriptTypes(await readFile(join(import.meta.dirname, name), 'utf8'))
}

const packageSchema = z.object({ default: z.string() })

/** The package's default export is the path of the binary for this platform. */
function workerdBinary(): string {
  return packageSchema.parse(createRequire(import.meta.url)('workerd')).default
}

const listenSchema = z.object({ event: z.literal('listen'), socket: z.string() })

function untilListening(control: unknown): Promise<{ sockets: string[] }> {
  return new Promise((resolve, reject) => {
    if (!(control instanceof Readable)) return reject(new Error('workerd has no control pipe'))
    const sockets: string[] = []
    createInterface({ input: control }).on('line', (line) => {
      const event = listenSchema.safeParse(JSON.parse(line))
      if (event.success) sockets.push(event.data.socket)
      if (SOCKETS.every((socket) => sockets.includes(socket))) resolve({ sockets })
    })
  })
}

function fireScheduled(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: '/', timeout: 120_000 }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error('the scheduled job failed; the log of the worker says why'))
      })
    })
    call.on('timeout', () => call.destroy(new Error('the scheduled job did not end')))
    call.on('error', reject)
    call.end()
  })
}
