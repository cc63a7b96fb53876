import { AwsV4Signer } from 'aws4fetch'
import type { Config } from '../../config/config.ts'
import { sha256, sha256OfBody } from '../../lib/digest.ts'
import { type Fetch, readBytes, withDeadline } from '../../lib/http.ts'
import { excerpt } from '../../lib/text.ts'
import { type ObjectStore, StorageUnavailable } from './object-store.ts'

const MAX_TRIES = 3
const TRIES_MS = 10_000
/** A stream cannot be sent again, so it gets one longer try. */
const STREAM_MS = 40_000
const READ_MS = 5_000
const CHECK_MS = 2_000
const MAX_ERROR_BYTES = 16 * 1024
const FIRST_PAUSE_MS = 200
/** The object that health checks ask for. */
const PROBE_KEY = 'health'
const PROBE_TEXT =
  'The service asks for this object to see whether the store answers. It writes it again when it is gone.'
/** Keys are unguessable and never written twice with other content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

interface S3Options {
  fetch: Fetch
  sleep(ms: number): Promise<void>
}

interface Request {
  method: 'PUT' | 'HEAD' | 'GET' | 'DELETE'
  /** The encoded key. */
  path: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

type Send = (request: Request, signal: AbortSignal) => Promise<Response>

/** An S3-compatible store, addressed as `endpoint/bucket/key`. */
export function makeS3Store(config: Config['objectStore'], { fetch, sleep }: S3Options): ObjectStore {
  const send = makeSender(config, fetch)
  const head = (path: string, signal: AbortSignal) => readHead(send, path, signal)
  return {
    async put(key, body, { contentType, length, sha256: digest }) {
      const headers = { 'content-type': contentType, 'cache-control': CACHE_CONTROL }
      const path = encodeKey(key)
      if (body instanceof Uint8Array) return putBytes({ send, sleep }, path, new Uint8Array(body), headers, digest)
      const withLength = { ...headers, 'content-length': String(length), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
      const request: Request = { method: 'PUT', path, headers: withLength, body }
      await guard(STREAM_MS, async (signal) => expectOk(await send(request, signal)))
    },
    head: (key) => guard(READ_MS, (signal) => head(encodeKey(key), signal)),
    copy: (from, to, maxAgeSeconds) =>
      guard(STREAM_MS, async (signal) => {
        const found = await head(encodeKey(from), signal)
        if (found === null) return false
        const headers = {
          'content-type': found.contentType,
          'cache-control': `public, max-age=${maxAgeSeconds}`,
          'x-amz-copy-source': `/${config.bucket}/${encodeKey(from)}`,
          'x-amz-metadata-directive': 'REPLACE',
        }
        await expectCopied(await send({ method: 'PUT', path: encodeKey(to), headers }, signal))
        return true
      }),
    delete: (key) =>
      guard(READ_MS, async (signal) => {
        const response = await send({ method: 'DELETE', path: encodeKey(key) }, signal)
        await (response.status === 404 ? discard(response) : expectOk(response))
      }),
    sha256: (key) =>
      guard(STREAM_MS, async (signal) => {
        const response = await send({ method: 'GET', path: encodeKey(key) }, signal)
        if (response.status === 404) return discard(response).then(() => null)
        if (!response.ok || response.body === null) throw await refusal(response)
        return sha256OfBody(response.body)
      }),
    open: (key) =>
      guard(READ_MS, async (signal) => {
        const response = await send({ method: 'GET', path: encodeKey(key) }, signal)
        if (response.status === 404) return discard(response).then(() => null)
        if (!response.ok || response.body === null) throw await refusal(response)
        return {
          body: response.body,
          contentType: response.headers.get('content-type') ?? 'application/octet-stream',
        }
      }),
    publicUrl: (key) => `${config.publicUrl}/${encodeKey(key)}`,
    check: () => guard(CHECK_MS, (signal) => checkProbe(send, signal)),
  }
}

async function readHead(send: Send, path: string, signal: AbortSignal) {
  const response = await send({ method: 'HEAD', path }, signal)
  if (response.status === 404) return null
  if (!response.ok) throw await refusal(response)
  const { headers } = response
  const length = Number(headers.get('content-length') ?? 0)
  return { contentType: headers.get('content-type') ?? 'application/octet-stream', length }
}

/** A copy may fail after its status 200 was sent: then the body is an error. */
async function expectCopied(response: Response): Promise<void> {
  if (!response.ok) throw await refusal(response)
  const xml = new TextDecoder().decode(await readBytes(response.body, MAX_ERROR_BYTES))
  if (!xml.includes('<CopyObjectResult')) throw new StorageUnavailable('the object store did not copy an object')
}

/**
 * Asks for the probe and, where it is not there, writes it. A key without the right to list gets 403 for an object that is
 * missing, as a wrong key does, and a missing bucket is 404 as well: the write distinguishes them.
 */
async function checkProbe(send: Send, signal: AbortSignal): Promise<void> {
  const asked = await send({ method: 'HEAD', path: PROBE_KEY }, signal)
  if (asked.status !== 404 && asked.status !== 403) return expectOk(asked)
  await discard(asked)
  const body = new Uint8Array(new TextEncoder().encode(PROBE_TEXT))
  const headers = { 'content-type': 'text/plain', 'x-amz-content-sha256': await sha256(body) }
  await expectOk(await send({ method: 'PUT', path: PROBE_KEY, headers, body }, signal))
}

/**
 * A key as a URL path, each segment escaped: signers and servers then agree on it. Throws a RangeError on segments that a URL
 * would swallow, since two keys must never name one object.
 */
export function encodeKey(key: string): string {
  const segments = key.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new RangeError('a key of the object store with an empty or dot segment')
  }
  const escapeRest = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return segments.map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, escapeRest)).join('/')
}

function makeSender(config: Config['objectStore'], fetch: Fetch): Send {
  // Derived signing keys, one per day: values only, safe to share between requests.
  const cache = new Map<string, ArrayBuffer>()
  const { accessKeyId, secretAccessKey, endpoint, bucket } = config
  return async ({ method, path, headers = {}, body }, signal) => {
    const url = `${endpoint}/${bucket}/${path}`
    const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, service: 's3', cache })
    const signed = await signer.sign()
    const init: RequestInit & { duplex?: 'half' } = { method, headers: signed.headers, redirect: 'manual', signal }
    if (body !== undefined) Object.assign(init, { body, duplex: 'half' })
    return fetch(signed.url.href, init)
  }
}

async function putBytes(
  { send, sleep }: Pick<S3Options, 'sleep'> & { send: Send },
  path: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  digest: string | undefined,
): Promise<void> {
  const contentHash = { 'x-amz-content-sha256': digest ?? (await sha256(body)) }
  const request: Request = { method: 'PUT', path, headers: { ...headers, ...contentHash }, body }
  await guard(TRIES_MS, async (signal) => {
    for (let tried = 1; ; tried += 1) {
      const response = await send(request, signal).catch((error: unknown) => failed(error, signal))
      if (response instanceof Response && response.ok) return expectOk(response)
      const passing = !(response instanceof Response) || response.status === 429 || response.status >= 500
      if (tried === MAX_TRIES || !passing) throw response instanceof Response ? await refusal(response) : response
      await discard(response)
      await sleep(FIRST_PAUSE_MS * 2 ** tried)
    }
  })
}

/** A lost connection may pass; a deadline does not. */
function failed(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) throw error
  return error instanceof Error ? error : new Error(String(error))
}

async function discard(response: Response | Error): Promise<void> {
  if (response instanceof Response) await response.body?.cancel()
}

async function expectOk(response: Response): Promise<void> {
  if (!response.ok) throw await refusal(response)
  await response.body?.cancel()
}

/** Only the error's code of S3's XML: the rest may name keys and buckets. */
async function refusal(response: Response): Promise<StorageUnavailable> {
  const xml = await readBytes(response.body, MAX_ERROR_BYTES).catch(() => new Uint8Array())
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(new TextDecoder().decode(xml))?.[1]
  return new StorageUnavailable(`the object store answered ${response.status}${code === undefined ? '' : ` ${code}`}`)
}

/** Runs a call with a deadline over its whole answer; whatever goes wrong is `StorageUnavailable`. */
async function guard<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await withDeadline(ms, work)
  } catch (cause) {
    if (cause instanceof StorageUnavailable || cause instanceof RangeError) throw cause
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new StorageUnavailable(excerpt(`the object store did not answer: ${words}`), { cause })
  }
}
