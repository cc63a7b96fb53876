import { buffer } from 'node:stream/consumers'
import type { ObjectFiles, ObjectRecord } from './object-files.ts'
import { accessDenied, escapeXml, notImplemented, S3Error, XML_HEAD } from './s3-error.ts'
import type { S3Request } from './target.ts'

const MAX_KEYS = 1000

/** Serves the owner's calls on the bucket: HEAD, ListObjectsV2, and `PUT ?cors`, which is accepted and changes nothing. */
export async function serveBucket({ incoming, response, target, files, mayList }: S3Request): Promise<void> {
  const query = new Map(target.query)
  const lists = incoming.method === 'HEAD' || incoming.method === 'GET'
  if (lists && !mayList) throw accessDenied()
  if (incoming.method === 'HEAD') {
    response.writeHead(200).end()
  } else if (incoming.method === 'GET' && query.get('list-type') === '2') {
    const xml = await listObjects(files, target.bucket, query)
    response.writeHead(200, { 'content-type': 'application/xml' }).end(xml)
  } else if (incoming.method === 'PUT' && query.has('cors')) {
    await buffer(incoming)
    response.writeHead(200).end()
  } else {
    throw notImplemented('This call on a bucket')
  }
}

/** ListObjectsV2 without delimiters: one page of keys as XML. */
async function listObjects(files: ObjectFiles, bucket: string, query: Map<string, string>): Promise<string> {
  if (query.has('delimiter')) throw notImplemented('A delimiter')
  const prefix = query.get('prefix') ?? ''
  const maxKeys = pageSize(query.get('max-keys'))
  const after = cursor(query)
  const records = (await files.list(prefix)).filter(({ key }) => after === null || isAfter(key, after))
  const page = records.slice(0, maxKeys)
  const last = page.at(-1)
  const more = records.length > page.length && last !== undefined
  const next = more ? element('NextContinuationToken', Buffer.from(last.key).toString('base64url')) : ''
  const members = [
    element('Name', bucket),
    element('Prefix', prefix),
    element('KeyCount', String(page.length)),
    element('MaxKeys', String(maxKeys)),
    element('IsTruncated', String(more)),
  ]
  const contents = page.map(contentsElement).join('')
  const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/'
  return `${XML_HEAD}<ListBucketResult xmlns="${xmlns}">${members.join('')}${next}${contents}</ListBucketResult>`
}

function pageSize(text: string | undefined): number {
  if (text === undefined) return MAX_KEYS
  if (!/^\d{1,9}$/.test(text)) throw new S3Error(400, 'InvalidArgument', 'max-keys must be a number')
  return Math.min(Number(text), MAX_KEYS)
}

function cursor(query: Map<string, string>): string | null {
  const token = query.get('continuation-token')
  return token === undefined ? (query.get('start-after') ?? null) : Buffer.from(token, 'base64url').toString()
}

const isAfter = (key: string, other: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

function contentsElement({ key, lastModified, etag, size }: ObjectRecord): string {
  const members = [
    element('Key', key),
    element('LastModified', lastModified),
    element('ETag', etag),
    element('Size', String(size)),
    element('StorageClass', 'STANDARD'),
  ]
  return `<Contents>${members.join('')}</Contents>`
}
