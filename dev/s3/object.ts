import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ObjectRecord } from './object-files.ts'
import { accessDenied, invalidRequest, S3Error } from './s3-error.ts'
import { parseTarget, type S3Request } from './target.ts'

const KEPT_HEADERS = ['content-type', 'cache-control', 'content-disposition', 'content-encoding', 'content-language']
const MAX_BYTES = 5 * 1024 ** 3

/** Serves the calls on an object. Anyone may read; for other calls the caller was checked before. */
export function serveObject(request: S3Request): Promise<void> {
  switch (request.incoming.method) {
    case 'PUT':
      return putObject(request)
    case 'GET':
    case 'HEAD':
      return getObject(request)
    case 'DELETE':
      return deleteObject(request)
    default:
      throw new S3Error(405, 'MethodNotAllowed', 'This method is not allowed on an object')
  }
}

async function putObject(request: S3Request): Promise<void> {
  const { incoming, response, target, caller, files } = request
  const { headers } = incoming
  const source = headers['x-amz-copy-source']
  if (typeof source === 'string') return copyObject(request, source)
  const etag = await files.put(
    {
      key: target.key,
      size: bodyLength(headers),
      headers: keptHeaders(headers),
      sha256: caller.kind === 'owner' ? caller.payloadSha256 : null,
      onlyNew: onlyNew(headers),
    },
    incoming,
  )
  response.writeHead(200, { etag }).end()
}

/** A copy within the bucket; its headers are those of the call where it says `REPLACE`, else those of the source. */
async function copyObject({ incoming, response, target, files }: S3Request, source: string): Promise<void> {
  const from = parseTarget(source.startsWith('/') ? source : `/${source}`)
  const object = from.bucket === target.bucket ? await files.get(from.key) : null
  if (object === null) throw new S3Error(404, 'NoSuchKey', 'The key does not exist')
  const { size, headers } = object.record
  const replaced = incoming.headers['x-amz-metadata-directive'] === 'REPLACE'
  const copy = { key: target.key, size, headers: replaced ? keptHeaders(incoming.headers) : headers, sha256: null }
  try {
    const etag = await files.put({ ...copy, onlyNew: false }, object.read(0, size - 1))
    const result = `<CopyObjectResult><ETag>${etag.replaceAll('"', '&quot;')}</ETag></CopyObjectResult>`
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0" encoding="UTF-8"?>\n${result}`)
  } finally {
    await object.close()
  }
}

/** The worker stores no empty object, so an empty body (a stream that was already read) is refused. */
function bodyLength(headers: IncomingHttpHeaders): number {
  const text = headers['content-length']
  if (text === undefined) throw new S3Error(411, 'MissingContentLength', 'Content-Length is required')
  const length = Number(text)
  if (length === 0) throw new S3Error(400, 'EntityTooSmall', 'An empty object is refused here')
  if (length > MAX_BYTES) throw new S3Error(400, 'EntityTooLarge', 'The object is too large')
  return length
}

function onlyNew(headers: IncomingHttpHeaders): boolean {
  const condition = headers['if-none-match']
  if (condition !== undefined && condition !== '*') throw invalidRequest('If-None-Match must be * on a PUT')
  return condition === '*'
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const isKept = (name: string): boolean => KEPT_HEADERS.includes(name) || name.startsWith('x-amz-meta-')
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    isKept(name) && typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}

async function getObject({ incoming, response, target, caller, files, mayList }: S3Request): Promise<void> {
  const object = await files.get(target.key)
  if (object === null && caller.kind === 'owner' && !mayList) throw accessDenied()
  if (object === null) throw new S3Error(404, 'NoSuchKey', 'The key does not exist')
  const { record } = object
  try {
    const headers = objectHeaders(record)
    if (incoming.headers['if-none-match'] === record.etag) {
      response.writeHead(304, headers).end()
      return
    }
    const range = parseRange(incoming.headers.range, record.size)
    const { start, end } = range ?? { start: 0, end: record.size - 1 }
    headers['content-length'] = end - start + 1
    if (range !== null) headers['content-range'] = `bytes ${start}-${end}/${record.size}`
    response.writeHead(range === null ? 200 : 206, headers)
    if (incoming.method === 'HEAD') response.end()
    else await pipeline(object.read(start, end), response)
  } finally {
    await object.close()
  }
}

function objectHeaders({ etag, lastModified, headers }: ObjectRecord): OutgoingHttpHeaders {
  return {
    'content-type': 'application/octet-stream',
    ...headers,
    etag,
    'last-modified': new Date(lastModified).toUTCString(),
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Content-Range',
    'x-content-type-options': 'nosniff',
  }
}

async function deleteObject({ response, target, files }: S3Request): Promise<void> {
  await files.delete(target.key)
  response.writeHead(204).end()
}

interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

/**
 * The bytes that a `Range` header requests of `size` bytes: `bytes=0-99`, `bytes=100-` or `bytes=-100`. Null when the whole object is
 * to be sent (no header, several ranges, another unit). Throws 416 for a range that starts after the end.
 *
 * @example
 * parseRange('bytes=-2', 10) // { start: 8, end: 9 }
 */
function parseRange(header: string | undefined, size: number): ByteRange | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start > end) {
    throw new S3Error(416, 'InvalidRange', 'The range is not satisfiable', { 'content-range': `bytes */${size}` })
  }
  return { start, end }
}
