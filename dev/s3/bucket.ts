import { buffer } from 'node:stream/consumers'
import { listObjects } from './list-objects.ts'
import { notImplemented } from './s3-error.ts'
import type { S3Request } from './s3-request.ts'

/** Calls on the bucket itself, from its owner: HEAD, ListObjectsV2, and `PUT ?cors`, which is taken and changes nothing. */
export async function serveBucket({ incoming, response, target, files }: S3Request): Promise<void> {
  const query = new Map(target.query)
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
