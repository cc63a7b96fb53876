import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ObjectFiles } from './object-files.ts'
import { S3Error } from './s3-error.ts'
import type { Caller } from './sigv4.ts'

export interface Target {
  bucket: string
  /** Empty for the bucket itself. */
  key: string
  /** Decoded, in the order sent. */
  query: [name: string, value: string][]
  /** The path as SigV4 signs it. */
  canonicalPath: string
}

/** A call to serve: its bucket is the served one, and an anonymous caller reads an object. */
export interface S3Request {
  incoming: IncomingMessage
  response: ServerResponse
  target: Target
  caller: Caller
  files: ObjectFiles
  /** True if the owner's key may list. */
  mayList: boolean
}

const MAX_KEY_BYTES = 1024

/**
 * Reads the raw target of a request line, path-style: `/bucket/some/key?list-type=2`. It is decoded exactly once and nothing
 * is normalised (`URL` would collapse `..`, turn `\` into `/` and drop tabs), so that each name stays distinct.
 */
export function parseTarget(rawTarget: string): Target {
  const [rawPath = '', ...rest] = rawTarget.split('?')
  if (!rawPath.startsWith('/')) throw new S3Error(400, 'InvalidURI', 'the path must start with /')
  const path = decode(rawPath)
  const slash = path.indexOf('/', 1)
  const bucket = slash === -1 ? path.slice(1) : path.slice(1, slash)
  const key = slash === -1 ? '' : path.slice(slash + 1)
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error(400, 'KeyTooLongError', 'Your key is too long')
  return { bucket, key, query: parseQuery(rest.join('?')), canonicalPath: path.split('/').map(encode).join('/') }
}

function parseQuery(rawQuery: string): [string, string][] {
  if (rawQuery === '') return []
  return rawQuery.split('&').map((pair) => {
    const [name = '', ...value] = pair.replaceAll('+', ' ').split('=')
    return [decode(name), decode(value.join('='))]
  })
}

/** Percent-encodes every UTF-8 byte outside `A-Za-z0-9-._~`, as SigV4 requires; `encodeURIComponent` leaves five more. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error(400, 'InvalidURI', 'the path or the query is not percent-encoded UTF-8')
  }
}
