import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen, type RunningService } from '../process/service.ts'
import { serveBucket } from './bucket.ts'
import { serveObject } from './object.ts'
import { ObjectFiles } from './object-files.ts'
import { accessDenied, errorXml, S3Error } from './s3-error.ts'
import { type Credentials, identify } from './sigv4.ts'
import { parseTarget } from './target.ts'

export interface S3ServerOptions extends Credentials {
  /** Default: any free port. */
  port?: number
  /** Where objects are kept. Default: a folder that is deleted at the end. */
  dir?: string
  bucket: string
  /** True if the key may list. As on S3, an object that is missing is 403 for a key that may not. Default: true. */
  mayList?: boolean
}

/**
 * Serves one bucket, path-style, at `url` (`http://127.0.0.1:PORT`, without the bucket). Signatures are verified. A call
 * without one may read objects, but not list or write.
 */
export async function startS3Server(options: S3ServerOptions): Promise<RunningService> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'coinslot-s3-'))
  const files = new ObjectFiles(dir)
  const server = createServer((incoming, response) => {
    serve(options, files, incoming, response).catch((error: unknown) => fail(incoming, response, error))
  })
  const url = await listen(server, options.port)
  return {
    url,
    async close() {
      server.close()
      server.closeAllConnections()
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function serve(
  options: S3ServerOptions,
  files: ObjectFiles,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(incoming.url ?? '')
  if (incoming.method === 'OPTIONS') return preflight(response)
  const method = incoming.method ?? ''
  const caller = identify({ method, target, headers: incoming.headers }, options, new Date())
  const isRead = method === 'GET' || method === 'HEAD'
  if (caller.kind === 'anonymous' && !(isRead && target.key !== '')) throw accessDenied()
  if (target.bucket !== options.bucket) throw new S3Error(404, 'NoSuchBucket', 'The bucket does not exist')
  const { mayList = true } = options
  const request = { incoming, response, target, caller, files, mayList }
  return target.key === '' ? serveBucket(request) : serveObject(request)
}

/** Objects may be read by any page; `PUT /bucket?cors` does not change that. */
function preflight(response: ServerResponse): void {
  response
    .writeHead(200, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'Range, If-None-Match',
      'access-control-max-age': '3600',
    })
    .end()
}

function fail(incoming: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || incoming.errored) {
    response.destroy()
    return
  }
  const refusal = error instanceof S3Error ? error : new S3Error(500, 'InternalError', 'We met an internal error')
  if (refusal.status === 500) console.error(error)
  incoming.resume() // a client that still sends would miss the answer if the connection closed
  const headers = { ...refusal.headers, 'content-type': 'application/xml' }
  response.writeHead(refusal.status, headers).end(incoming.method === 'HEAD' ? undefined : errorXml(refusal))
}
