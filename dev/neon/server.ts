import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ZodError } from 'zod'
import { listen, type RunningService } from '../process/service.ts'
import { makePgEngine } from './pg-engine.ts'
import { makePgliteEngine } from './pglite-engine.ts'
import { execute, parseHeaders, type SqlEngine, serverReport } from './protocol.ts'
import { copyTemplate } from './template.ts'

export interface NeonServerOptions {
  /** Default: any free port. */
  port?: number
  /** Where PGlite keeps the database. Default: a folder that is deleted at the end. */
  dataDir?: string
  /** Empties `dataDir` first. */
  fresh?: boolean
  /** A PostgreSQL to use instead of PGlite. */
  databaseUrl?: string
}

export interface NeonServer extends RunningService {
  /** The connection string that clients must send. With PGlite only this server accepts it. */
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
  const origin = await listen(server, options.port).catch(async (error: unknown) => {
    await engine.close()
    throw error
  })
  return {
    url: `${origin}/sql`,
    databaseUrl,
    async close() {
      server.close()
      server.closeAllConnections()
      await engine.close()
    },
  }
}

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

/** The driver adds parameters to the connection string. User, host and database must match. */
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

/** Status and body for an error: a report of PostgreSQL is 400, any other failure 500. */
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
