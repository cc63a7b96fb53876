import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { S3_CREDENTIALS, s3Client, s3Refusal, startTestS3, type TestS3 } from '../../test/helpers/s3.ts'
import { startS3Server } from './server.ts'

let s3: TestS3
const owner = s3Client()
beforeAll(async () => {
  s3 = await startTestS3()
})
afterAll(() => s3.close())

const bytesOf = async (key: string): Promise<Buffer> => Buffer.from(await (await fetch(s3.urlOf(key))).arrayBuffer())
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const socketTo = (): Socket => connect(Number(new URL(s3.url).port), '127.0.0.1')

/** The status line for a target that `fetch` would rewrite before sending. */
function getRaw(target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = socketTo()
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? '')).on('error', reject)
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  })
}

describe('objects', () => {
  test('default: anyone reads an object, with the headers it was stored with', async () => {
    const headers = {
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'x-amz-meta-id': '7',
    }
    const stored = await s3.put('i/1/0.png', 'pixels', headers)
    const read = await fetch(s3.urlOf('i/1/0.png'))
    expect([stored.status, read.status, await read.text()]).toEqual([200, 200, 'pixels'])
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-amz-meta-id': '7',
      'content-length': '6',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      etag: stored.headers.get('etag'),
    })
  })

  test.each([
    "a+b (1)!'*.png",
    'é😀.png',
    'e\u0301.png',
    '日本.png',
    `${'n'.repeat(300)}.png`,
    '100%.png',
    'a%20b.png',
    'a%2Fb.png',
    'a b.png',
    'a/b.png',
    'a#b.png',
    'a?x=1.png',
    'a&b=c;d.png',
    'tab\tname.png',
    'a\\b',
    '...',
    'a//b',
    '/lead',
    'trail/',
    '~-_.(x)@:$,',
  ])('behavior: the key %j is stored under its exact name', async (key) => {
    const bytes = randomBytes(64)
    expect((await s3.put(`odd/${key}`, bytes)).status).toBe(200)
    expect(sha256(await bytesOf(`odd/${key}`))).toBe(sha256(bytes))
  })

  test('behavior: similar keys are all listed, each once', async () => {
    const listed = await owner.fetch(`${s3.url}/results?list-type=2&prefix=odd%2F`)
    const text = await listed.text()
    expect(text).toContain('<KeyCount>20</KeyCount>')
    expect(text).toContain('<Key>odd/a&#38;b=c;d.png</Key>')
  })

  test('behavior: dots in a raw path are part of the key', async () => {
    expect(await getRaw('/results/../results/i/1/0.png')).toContain('404')
    expect(await getRaw('/results/%2e%2e/%2e%2e/etc/passwd')).toContain('404')
    expect(await getRaw('/results/i/1/0.png')).toContain('200')
  })

  test('behavior: ranges, as media players request them', async () => {
    await s3.put('sound.wav', '0123456789')
    const range = async (value: string) => {
      const response = await fetch(s3.urlOf('sound.wav'), { headers: { Range: value } })
      return [response.status, response.headers.get('content-range'), await response.text()]
    }
    expect(await range('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await range('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await range('bytes=-2')).toEqual([206, 'bytes 8-9/10', '89'])
    expect(await range('bytes=5-500')).toEqual([206, 'bytes 5-9/10', '56789'])
    expect(await range('bytes=0-1,4-5')).toEqual([200, null, '0123456789'])
    expect(await range('bytes=10-')).toEqual([416, 'bytes */10', expect.stringContaining('InvalidRange')])
  })

  test('behavior: HEAD, If-None-Match and DELETE', async () => {
    const etag = (await s3.put('gone.txt', 'text')).headers.get('etag') ?? ''
    const head = await fetch(s3.urlOf('gone.txt'), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', ''])
    expect((await fetch(s3.urlOf('gone.txt'), { headers: { 'If-None-Match': etag } })).status).toBe(304)
    expect((await owner.fetch(s3.urlOf('gone.txt'), { method: 'DELETE' })).status).toBe(204)
    expect(await s3Refusal(await fetch(s3.urlOf('gone.txt')))).toEqual([404, 'NoSuchKey'])
  })

  test('behavior: of ten writers of a new key, If-None-Match accepts one', async () => {
    const writes = Array.from({ length: 10 }, (_, n) => s3.put('once.txt', `writer ${n}`, { 'If-None-Match': '*' }))
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(412)])
  })

  test('behavior: a megabyte through a stream of known length keeps its bytes', async () => {
    const bytes = randomBytes(1_000_000)
    const init = { method: 'PUT', body: bytes, headers: { 'X-Amz-Content-Sha256': sha256(bytes) } }
    expect((await owner.fetch(s3.urlOf('big.bin'), init)).status).toBe(200)
    expect(sha256(await bytesOf('big.bin'))).toBe(sha256(bytes))
  })
})

describe('bodies that must not become objects', () => {
  test('error: MissingContentLength for a stream of unknown length', async () => {
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(randomBytes(1000))
        stream.close()
      },
    })
    expect(await s3Refusal(await s3.put('chunked.bin', body))).toEqual([411, 'MissingContentLength'])
    expect((await fetch(s3.urlOf('chunked.bin'))).status).toBe(404)
  })

  test('error: EntityTooSmall for an empty body', async () => {
    expect(await s3Refusal(await s3.put('empty.bin', ''))).toEqual([400, 'EntityTooSmall'])
  })

  test('error: XAmzContentSHA256Mismatch for a body other than the signed one', async () => {
    const wrong = { 'X-Amz-Content-Sha256': sha256(Buffer.from('other')) }
    expect(await s3Refusal(await s3.put('wrong.bin', 'body', wrong))).toEqual([400, 'XAmzContentSHA256Mismatch'])
    expect((await fetch(s3.urlOf('wrong.bin'))).status).toBe(404)
  })

  test('behavior: an interrupted upload keeps the existing object', async () => {
    await s3.put('half.bin', 'before')
    const signed = await owner.sign(s3.urlOf('half.bin'), { method: 'PUT', body: 'x'.repeat(1000) })
    const headers = [...signed.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const socket = socketTo()
    socket.write(`PUT /results/half.bin HTTP/1.1\r\nHost: ${new URL(s3.url).host}\r\n${headers}`)
    socket.write(`Content-Length: 1000\r\n\r\n${'x'.repeat(500)}`)
    const uploads = () => readdirSync(s3.dir).filter((name) => name.endsWith('.partial')).length
    await expect.poll(uploads).toBe(1)
    socket.destroy()
    await expect.poll(uploads).toBe(0)
    expect((await bytesOf('half.bin')).toString()).toBe('before')
  })
})

describe('bucket', () => {
  const call = (query: string, method = 'GET', body?: string) =>
    owner.fetch(`${s3.url}/results${query}`, { method, ...(body === undefined ? {} : { body }) })

  test('default: HEAD returns 200 to the owner', async () => {
    expect((await call('', 'HEAD')).status).toBe(200)
    expect((await owner.fetch(`${s3.url}/other`, { method: 'HEAD' })).status).toBe(404)
  })

  test('behavior: accepts CORS rules', async () => {
    expect((await call('/?cors', 'PUT', '<CORSConfiguration/>')).status).toBe(200)
  })

  test('behavior: lists pages in the order of the keys', async () => {
    for (const key of ['page/b', 'page/a', 'page/c']) await s3.put(key, key)
    const first = await (await call('?list-type=2&prefix=page/&max-keys=2')).text()
    expect(first).toMatch(/<IsTruncated>true<.*<Key>page\/a<.*<Size>6<.*<Key>page\/b</)
    const token = /<NextContinuationToken>(.*?)</.exec(first)?.[1]
    const second = await (await call(`?list-type=2&prefix=page/&max-keys=2&continuation-token=${token}`)).text()
    expect(second).toMatch(/<KeyCount>1<.*<IsTruncated>false<.*<Key>page\/c</)
  })

  test('error: NotImplemented for another call', async () => {
    expect(await s3Refusal(await call('?versioning'))).toEqual([501, 'NotImplemented'])
  })
})

test('behavior: objects survive a restart', async () => {
  await s3.put('kept.txt', 'kept', { 'Content-Type': 'text/plain' })
  const again = await startS3Server({ ...S3_CREDENTIALS, bucket: 'results', dir: s3.dir })
  const read = await fetch(`${again.url}/results/kept.txt`)
  expect([await read.text(), read.headers.get('content-type')]).toEqual(['kept', 'text/plain'])
  await again.close()
})
