import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { MadeFile } from '../engines/result.ts'
import { listen } from '../process/service.ts'
import type { RunScript } from './script.ts'

interface StoredFile extends MadeFile {
  fault: RunScript['file']
  script: RunScript | undefined
}

const MEBIBYTE = 1_048_576
/** Limit of the files in memory. Beyond it the oldest files expire early. */
const MOST_BYTES = 512 * MEBIBYTE
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>'
const HTML = '<!doctype html><title>not a picture</title><script>alert(document.domain)</script>'

export type Files = Awaited<ReturnType<typeof startFiles>>

/** Serves the output files, on another port than the API. `fault` may break an answer. */
export async function startFiles(fault: (path: string, response: ServerResponse) => Promise<boolean>) {
  const files = new Map<string, StoredFile>()
  let held = 0
  const drop = (key: string): void => {
    held -= files.get(key)?.bytes.length ?? 0
    files.delete(key)
  }
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    if (await fault(path, response)) return
    const file = files.get(decodeURIComponent(path.split('/')[2] ?? ''))
    if (!file || request.method !== 'GET') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not found","status":404}')
      return
    }
    serve(file, response)
  })
  const url = await listen(server)

  return {
    url,
    /** Keeps a file and returns its key and address. */
    add(file: MadeFile, script: RunScript | undefined): { key: string; url: string } {
      const key = randomBytes(16).toString('hex')
      files.set(key, { ...file, fault: script?.file, script })
      held += file.bytes.length
      for (const oldest of files.keys()) {
        if (held <= MOST_BYTES || oldest === key) break
        drop(oldest)
      }
      const foreign = script?.file === 'foreign' ? (script.fileUrl ?? 'https://files.example.com/out') : undefined
      return { key, url: foreign ?? `${url}/files/${key}/${file.name}` }
    },
    drop,
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}

function serve(file: StoredFile, response: ServerResponse): void {
  const type = (honest: string) => ({ 'content-type': file.script?.contentType ?? honest })
  const whole = (bytes: Uint8Array | string, honest: string): void => {
    response.writeHead(200, { ...type(honest), 'content-length': Buffer.byteLength(bytes) }).end(bytes)
  }
  switch (file.fault) {
    case 'missing':
      response.writeHead(404).end()
      return
    case 'redirect':
      response.writeHead(302, { location: file.script?.fileUrl ?? 'http://169.254.169.254/latest/meta-data' }).end()
      return
    case 'svg':
      whole(SVG, 'image/svg+xml')
      return
    case 'html':
      whole(HTML, 'text/html')
      return
    case 'empty':
      whole('', file.contentType)
      return
    case 'no-length':
      response.writeHead(200, type(file.contentType)).end(file.bytes)
      return
    case 'cut':
      response.writeHead(200, { ...type(file.contentType), 'content-length': file.bytes.length })
      response.write(file.bytes.subarray(0, file.bytes.length / 2), () => response.destroy())
      return
    case 'slow':
      response.writeHead(200, { ...type(file.contentType), 'content-length': file.bytes.length })
      response.write(file.bytes.subarray(0, 64))
      return
    case 'huge':
      response.writeHead(200, { ...type(file.contentType), 'content-length': file.script?.fileBytes ?? 60 * MEBIBYTE })
      void pour(file, file.script?.fileBytes ?? 60 * MEBIBYTE, response)
      return
    default:
      whole(file.bytes, file.contentType)
  }
}

/** Sends real bytes first, so that the type is right, then zeros up to the length, no faster than the socket accepts. */
async function pour(file: MadeFile, length: number, response: ServerResponse): Promise<void> {
  let left = length
  let chunk: Uint8Array = file.bytes
  while (left > 0 && !response.destroyed) {
    const part = chunk.subarray(0, left)
    left -= part.length
    if (!response.write(part)) {
      await new Promise<void>((resolve) => {
        response.once('drain', resolve).once('close', resolve)
      })
    }
    chunk = new Uint8Array(MEBIBYTE)
  }
  response.end()
}
