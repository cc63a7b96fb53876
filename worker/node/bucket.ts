import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'

export interface BucketOptions {
  /** Origin of the S3 API. */
  endpoint: string
  bucket: string
  /** A key that may make buckets. */
  accessKeyId: string
  secretAccessKey: string
  /** The id of the server's own key, which gets the objects of this bucket and nothing else. */
  serverKeyId: string
  /** Sites that may read the objects from a page. */
  origins: readonly string[]
}

/** How long a store that starts is waited for, and between two tries. */
const START_MS = 60_000
const PAUSE_MS = 500
const CALL_MS = 10_000

/** Anyone may read an object by its unguessable name, and no one may list them. The server's key writes and deletes too. */
export const bucketPolicy = (bucket: string, serverKeyId: string): string => {
  const resource = `arn:aws:s3:::${bucket}/*`
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: '*' }, Action: 's3:GetObject', Resource: resource },
      {
        Effect: 'Allow',
        Principal: { AWS: serverKeyId },
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        Resource: resource,
      },
    ],
  })
}

/** The pages of these sites may read objects, also parts of them. */
export const bucketCors = (origins: readonly string[]): string => {
  const element = (name: string) => (text: string) => `<${name}>${text}</${name}>`
  const rule = [
    ...origins.map((origin) => element('AllowedOrigin')(new URL(origin).origin)),
    ...['GET', 'HEAD'].map(element('AllowedMethod')),
    element('AllowedHeader')('range'),
    ...['content-length', 'content-range', 'content-type', 'etag'].map(element('ExposeHeader')),
    element('MaxAgeSeconds')('86400'),
  ]
  return `<CORSConfiguration><CORSRule>${rule.join('')}</CORSRule></CORSConfiguration>`
}

/**
 * Makes the bucket, where it is missing, and sets who may do what with its objects. May be run again. Waits for a store that starts.
 * Throws an `Error` with the store's own words if it refuses.
 */
export async function prepareBucket(options: BucketOptions): Promise<void> {
  const { bucket, serverKeyId, origins } = options
  await create(options, Date.now() + START_MS)
  await put(options, '?policy', bucketPolicy(bucket, serverKeyId))
  await put(options, '?cors', bucketCors(origins))
}

async function create(options: BucketOptions, until: number): Promise<void> {
  const response = await call(options, '', '').catch(async (error: unknown) => {
    if (Date.now() > until) throw error
    await pause(PAUSE_MS)
    return null
  })
  if (response === null) return create(options, until)
  // 409: the bucket is there.
  if (response.status === 409) await response.body?.cancel()
  else await expectOk(response, 'the bucket')
}

const put = async (options: BucketOptions, query: string, body: string): Promise<void> =>
  expectOk(await call(options, query, body), query)

async function call(options: BucketOptions, query: string, body: string): Promise<Response> {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = options
  const headers = {
    // S3 asks for this digest where a bucket's settings change.
    'content-md5': createHash('md5').update(body).digest('base64'),
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
  }
  const url = `${endpoint}/${bucket}${query}`
  const signer = new AwsV4Signer({ method: 'PUT', url, headers, body, accessKeyId, secretAccessKey, service: 's3' })
  const signed = await signer.sign()
  return fetch(signed.url, { method: 'PUT', headers: signed.headers, body, signal: AbortSignal.timeout(CALL_MS) })
}

async function expectOk(response: Response, what: string): Promise<void> {
  const text = await response.text()
  if (!response.ok) throw new Error(`The store refused ${what} with ${response.status}: ${text.slice(0, 300)}`)
}

function optionsOf(env: NodeJS.ProcessEnv): BucketOptions {
  const read = (name: string): string => {
    const value = env[name]
    if (!value) throw new Error(`${name} is not set`)
    return value
  }
  return {
    endpoint: read('OBJECT_STORE_ENDPOINT'),
    bucket: read('OBJECT_STORE_BUCKET_NAME'),
    accessKeyId: read('OBJECT_STORE_ROOT_KEY_ID'),
    secretAccessKey: read('OBJECT_STORE_ROOT_SECRET'),
    serverKeyId: read('OBJECT_STORE_ACCESS_KEY_ID'),
    origins: read('PUBLIC_ORIGIN')
      .split(',')
      .map((origin) => origin.trim()),
  }
}

if (import.meta.main) {
  try {
    await prepareBucket(optionsOf(process.env))
    console.log('The bucket is ready.')
  } catch (error) {
    console.error(`The bucket is not ready. ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
