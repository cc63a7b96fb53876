import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ZodError } from 'zod'
import type { RunningPart } from '../stack/service.ts'
import type { SqlEngine } from './engine.ts'
import { makePgEngine } from './pg-engine.ts'
import { makePgliteEngine } from './pglite-engine.ts'
import { execute, parseHeaders, serverReport } from './protocol.ts'
import { copyTemplate } from './template.ts'

export interface NeonServerOptions {
  /** Default: a free one. */
  port?: number
  /** Where PGlite keeps the database. Default: a folder that is removed at the end. */
  dataDir?: string
  /** Empties `dataDir` first. */
  fresh?: boolean
  /** A PostgreSQL to use in place of PGlite. */
  databaseUrl?: string
}

export interface NeonServer extends RunningPart {
  /** The connection string that clients must send. With PGlite only this server understands it. */
  databaseUrl: string
}

const PGLITE_URL = 'postgresql://coinslot:coinslot@pglite.localhost/coinslot'

/** Serves a migrated database over Neon's HTTP protocol at `url`, e.g. `http://127.0.0.1:41234/sql`. */
export async function startNeonServer(options: NeonServerOptions = {}): Promise<NeonServer> {
  const { databaseUrl = PGLITE_URL } = options
  const engine = options.databaseUrl === undefined ? await openPglite(options) : await openPostgres(databaseUrl)
  const server = createServer((request, response) => {
    answer(engine, databaseUrl, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => send(response, ...faultAnswer(error)),
    )
  })
  await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await engine.close()
    throw error
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/sql`,
    databaseUrl,
    async close() {
      server.close()
      server.closeAllConnections()
      await engine.close()
    },
  }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })

async function openPostgres(databaseUrl: string): Promise<SqlEngine> {
  const { migrate } = await import('../../db/migrator.ts')
  await migrate(databaseUrl)
  return makePgEngine(databaseUrl)
}

async function openPglite({ dataDir, fresh }: NeonServerOptions): Promise<SqlEngine> {
  if (dataDir === undefined) return openTemporary()
  if (fresh) rmSync(dataDir, { recursive: true, force: true })
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    mkdirSync(dirname(dataDir), { recursive: true })
    await copyTemplate(dataDir)
  }
  return makePgliteEngine(dataDir)
}

async function openTemporary(): Promise<SqlEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'coinslot-db-'))
  const dataDir = join(folder, 'data')
  await copyTemplate(dataDir)
  const engine = await makePgliteEngine(dataDir)
  return {
    ...engine,
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answer(engine: SqlEngine, databaseUrl: string, request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST' || request.url !== '/sql') throw new RequestFault(404, 'only POST /sql is served')
  const headers = parseHeaders(request.headers)
  if (!sameLogin(headers['neon-connection-string'], databaseUrl)) {
    throw new RequestFault(400, 'password authentication failed', '28P01')
  }
  return execute(engine, headers, JSON.parse(await text(request)))
}

/** The driver adds parameters to the connection string; who, where and which database must be as given. */
function sameLogin(given: string, expected: string): boolean {
  const bare = (url: string) => URL.canParse(url) && Object.assign(new URL(url), { search: '' }).href
  return bare(given) === bare(expected)
}

class RequestFault extends Error {
  readonly status: number
  readonly code: string | null

  constructor(status: number, message: string, code: string | null = null) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Status and body for a fault: PostgreSQL's own reports go out as 400, what keeps it from being asked as 500. */
function faultAnswer(error: unknown): [status: number, body: unknown] {
  if (error instanceof RequestFault) return [error.status, { message: error.message, code: error.code }]
  if (error instanceof ZodError || error instanceof SyntaxError) {
    return [400, { message: `not a request of Neon's driver: ${error.message}`, code: null }]
  }
  const report = serverReport(error)
  return report === null ? [500, { message: 'Control plane request failed', code: null }] : [400, report]
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
