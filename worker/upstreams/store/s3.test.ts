import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Fetch } from '../../lib/http.ts'
import { installDigestStream } from '../../node/digest-stream.ts'
import { StorageUnavailable } from './object-store.ts'
import { encodeKey, makeS3Store } from './s3.ts'

installDigestStream()

const SECRET = 'a/b+c=d'
const CONFIG = {
  endpoint: 'https://store.example',
  bucket: 'results',
  accessKeyId: 'AKID',
  secretAccessKey: SECRET,
  publicUrl: 'https://cdn.example',
}
const META = { contentType: 'image/png', length: 5 }
const callFetch: Fetch = (url, init) => fetch(url, init)
const unexpectedSleep = (): Promise<void> => Promise.reject(new Error('nothing here is worth a pause'))

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** The signature worked out from what arrived, by the rules of AWS Signature Version 4, without a library. */
function signatureOf(request: IncomingMessage): string {
  const header = (name: string): string => String(request.headers[name] ?? '').trim()
  const [, credential = '', names = ''] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(header('authorization')) ?? []
  const canonicalHeaders = names.split(';').map((name) => `${name}:${header(name)}\n`)
  const canonical = [
    request.method,
    request.url,
    '',
    canonicalHeaders.join(''),
    names,
    header('x-amz-content-sha256'),
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), credential, hash].join('\n')
  let key: string | Buffer = `AWS4${SECRET}`
  for (const part of credential.split('/')) key = createHmac('sha256', key).update(part).digest()
  return createHmac('sha256', key).update(toSign).digest('hex')
}

interface Stored {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** An S3 server that keeps what is rightly signed, hash included. */
async function serve() {
  const stored: Stored[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const body = Buffer.concat(chunks)
    const hash = request.headers['x-amz-content-sha256']
    const right = request.headers.authorization?.endsWith(`Signature=${signatureOf(request)}`)
    const whole = hash === 'UNSIGNED-PAYLOAD' || hash === createHash('sha256').update(body).digest('hex')
    if (!right || !whole)
      return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code><Key>x</Key></Error>')
    if (request.method === 'PUT') stored.push({ path: request.url ?? '', headers: request.headers, body })
    const found = stored.find(({ path }) => path === request.url)
    if (found === undefined) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': found.headers['content-type'], 'content-length': found.body.length })
      .end(request.method === 'GET' ? found.body : undefined)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    stored,
    store: makeS3Store(
      { ...CONFIG, endpoint: `http://127.0.0.1:${address.port}` },
      { fetch: callFetch, sleep: unexpectedSleep },
    ),
  }
}

const bytes = new TextEncoder().encode('hello')
const streamOf = (...chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  )

describe('put, head and check against a server', () => {
  it('default: bytes are stored for good, with type, caching and a true hash', async () => {
    const { store, stored } = await serve()
    await store.put('i/abc/0.png', bytes, META)
    expect(stored[0]).toMatchObject({
      path: '/results/i/abc/0.png',
      headers: {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': '5',
      },
    })
    expect(stored[0]?.body.toString()).toBe('hello')
    expect(await store.head('i/abc/0.png')).toEqual({ contentType: 'image/png', length: 5 })
    expect(await store.head('i/abc/1.png')).toBeNull()
    await store.check()
  })

  it('default: the digest is that of the stored bytes, null where there is none', async () => {
    const { store } = await serve()
    await store.put('i/abc/0.png', bytes, META)
    // SHA-256 of `hello`.
    expect(await store.sha256('i/abc/0.png')).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')
    expect(await store.sha256('i/abc/1.png')).toBeNull()
  })

  it('default: a stored object is opened with its type, and null where there is none', async () => {
    const { store } = await serve()
    await store.put('i/abc/0.png', bytes, META)
    const file = await store.open('i/abc/0.png')
    expect(file?.contentType).toBe('image/png')
    expect(await new Response(file?.body).text()).toBe('hello')
    expect(await store.open('i/abc/1.png')).toBeNull()
  })

  it('behavior: a stream is sent with its length, not in chunks', async () => {
    const { store, stored } = await serve()
    await store.put('i/s.png', streamOf(bytes.slice(0, 2), bytes.slice(2)), META)
    expect(stored[0]?.headers).toMatchObject({ 'content-length': '5', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' })
    expect(stored[0]?.headers).not.toHaveProperty('transfer-encoding')
    expect(stored[0]?.body.toString()).toBe('hello')
  })

  it('error: StorageUnavailable for a stream that ends early, and no short object', async () => {
    const { store, stored } = await serve()
    expect(await errorOf(store.put('i/s.png', streamOf(bytes.slice(0, 2)), META))).toBeInstanceOf(StorageUnavailable)
    expect(stored).toHaveLength(0)
  })

  it.each([
    "a+b (1)!'*.png",
    'é😀.png',
    'e\u0301.png',
    '日本.png',
    'x'.repeat(300),
    '100%.png',
    'a%20b.png',
    'a%2Fb.png',
    'a#b.png',
    'a?x=1.png',
    'a&b=c;d.png',
    'tab\tname.png',
    'a\\b.png',
    '...png',
  ])('behavior: the key %j is signed as it is sent, and stays itself', async (name) => {
    const { store, stored } = await serve()
    await store.put(`i/${name}`, bytes, META)
    expect(decodeURIComponent(stored[0]?.path.slice('/results/i/'.length) ?? '')).toBe(name)
    expect(store.publicUrl(`i/${name}`)).toBe(`https://cdn.example/i/${encodeKey(name)}`)
  })

  it.each(['', '/', 'a//b', '.', 'a/../b', '..', '/a', 'a/'])('error: RangeError for the key %j', async (key) => {
    const { store, stored } = await serve()
    expect(await errorOf(store.put(key, bytes, META))).toBeInstanceOf(RangeError)
    expect(stored).toHaveLength(0)
  })
})

describe('a store in trouble', () => {
  const make = (...answers: (() => Response | Promise<Response>)[]) => {
    const pauses: number[] = []
    let calls = 0
    const fetch: Fetch = async () => {
      const answer = answers[Math.min(calls, answers.length - 1)]
      calls += 1
      if (answer === undefined) throw new Error('no answer is scripted')
      return answer()
    }
    const sleep = async (ms: number): Promise<void> => void pauses.push(ms)
    return { store: makeS3Store(CONFIG, { fetch, sleep }), calls: () => calls, pauses }
  }
  const status = (code: number) => (): Response =>
    new Response('<Error><Code>SlowDown</Code></Error>', { status: code })
  const lost = (): Promise<Response> => Promise.reject(new TypeError('socket closed'))

  it.each([
    ['503', status(503)],
    ['429', status(429)],
    ['a lost connection', lost],
  ])('behavior: bytes are sent again after %s', async (_case, bad) => {
    const { store, calls, pauses } = make(bad, bad, () => new Response())
    await store.put('i/x.png', bytes, META)
    expect([calls(), pauses]).toEqual([3, [400, 800]])
  })

  it.each([
    ['503', status(503), 3],
    ['a lost connection', lost, 3],
    ['403', status(403), 1],
  ])('error: StorageUnavailable after %s, every time', async (_case, bad, tries) => {
    const { store, calls } = make(bad)
    expect(await errorOf(store.put('i/x.png', bytes, META))).toBeInstanceOf(StorageUnavailable)
    expect(calls()).toBe(tries)
  })

  it('error: StorageUnavailable for a stream after one try', async () => {
    const { store, calls } = make(status(503))
    const error = await errorOf(store.put('i/x.png', streamOf(bytes), META))
    expect(error).toMatchObject({ name: 'StorageUnavailable', message: 'the object store answered 503 SlowDown' })
    expect(calls()).toBe(1)
  })

  it.each([
    ['put', 10_000],
    ['head', 5_000],
    ['check', 2_000],
    ['sha256', 40_000],
  ] as const)('error: StorageUnavailable when %s hangs', async (name, ms) => {
    const asked = Promise.withResolvers<Response>()
    const { store } = make(() => {
      asked.resolve(new Response())
      return new Promise(() => undefined)
    })
    const work = {
      put: () => store.put('i/x.png', bytes, META),
      head: () => store.head('i/x.png'),
      check: () => store.check(),
      sha256: () => store.sha256('i/x.png'),
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const outcome = errorOf(work[name]())
    await asked.promise
    await vi.advanceTimersByTimeAsync(ms)
    expect(await outcome).toBeInstanceOf(StorageUnavailable)
  })
})
