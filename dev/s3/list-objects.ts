import type { ObjectFiles, ObjectRecord } from './object-files.ts'
import { escapeXml, notImplemented, S3Error, XML_HEAD } from './s3-error.ts'

const MAX_KEYS = 1000

/** ListObjectsV2 without delimiters: one page of keys as XML. */
export async function listObjects(files: ObjectFiles, bucket: string, query: Map<string, string>): Promise<string> {
  if (query.has('delimiter')) throw notImplemented('A delimiter')
  const prefix = query.get('prefix') ?? ''
  const maxKeys = pageSize(query.get('max-keys'))
  const after = cursor(query)
  const records = (await files.list(prefix)).filter(({ key }) => after === null || isAfter(key, after))
  const page = records.slice(0, maxKeys)
  const last = page.at(-1)
  const more = records.length > page.length && last !== undefined
  const next = more ? element('NextContinuationToken', Buffer.from(last.key).toString('base64url')) : ''
  const facts = [
    element('Name', bucket),
    element('Prefix', prefix),
    element('KeyCount', String(page.length)),
    element('MaxKeys', String(maxKeys)),
    element('IsTruncated', String(more)),
  ]
  const contents = page.map(contentsElement).join('')
  const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/'
  return `${XML_HEAD}<ListBucketResult xmlns="${xmlns}">${facts.join('')}${next}${contents}</ListBucketResult>`
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
