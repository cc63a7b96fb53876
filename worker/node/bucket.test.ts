import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../dev/process/ports.ts'
import { identify } from '../../dev/s3/sigv4.ts'
import { parseTarget } from '../../dev/s3/target.ts'
import { bucketCors, bucketPolicy, prepareBucket } from './bucket.ts'

const ROOT = { accessKeyId: 'root', secretAccessKey: 'root-secret' }
let server: Server | undefined
afterEach(() => new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve))))

/** A store that checks each signature and answers by `answer`. Returns the calls so far. */
function openStore(port: number, answer: (call: string) => [status: number, body: string]) {
  const calls: { call: string; body: string }[] = []
  server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    const { method = '', url = '', headers } = incoming
    const caller = identify({ method, target: parseTarget(url), headers }, ROOT, new Date())
    const digest = createHash('sha256').update(body).digest('hex')
    expect(caller).toEqual({ kind: 'owner', payloadSha256: digest })
    expect(headers['content-md5']).toBe(createHash('md5').update(body).digest('base64'))
    calls.push({ call: `${method} ${url}`, body })
    const [status, reply] = answer(`${method} ${url}`)
    response.writeHead(status, { connection: 'close' }).end(reply)
  }).listen(port, '127.0.0.1')
  return calls
}

const optionsAt = (port: number) => ({
  ...ROOT,
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'coinslot',
  serverKeyId: 'server',
  origins: ['https://coinslot.example', 'https://www.coinslot.example/'],
})

test('default: M6 the bucket is made, then its policy and its CORS are set', async () => {
  const port = await freePort()
  const calls = openStore(port, () => [200, ''])
  await prepareBucket(optionsAt(port))
  expect(calls).toEqual([
    { call: 'PUT /coinslot', body: '' },
    { call: 'PUT /coinslot?policy', body: bucketPolicy('coinslot', 'server') },
    { call: 'PUT /coinslot?cors', body: bucketCors(optionsAt(port).origins) },
  ])
})

test('behavior: M6 an existing bucket gets its settings again, once the store has started', async () => {
  const port = await freePort()
  const prepared = prepareBucket(optionsAt(port))
  const calls = openStore(port, (call) => (call === 'PUT /coinslot' ? [409, 'BucketAlreadyOwnedByYou'] : [204, '']))
  await prepared
  expect(calls).toHaveLength(3)
})

test('error: M6 a refusal is an error with the words of the store, and without a secret', async () => {
  const port = await freePort()
  openStore(port, (call) => (call.endsWith('?policy') ? [400, '<Code>MalformedPolicy</Code>'] : [200, '']))
  const failed = prepareBucket(optionsAt(port))
  await expect(failed).rejects.toThrow('The store refused ?policy with 400: <Code>MalformedPolicy</Code>')
  await expect(failed).rejects.not.toThrow(ROOT.secretAccessKey)
})

test('error: M6 anyone reads one object, the server’s key writes and deletes, and no one lists', () => {
  const { Statement: statements } = JSON.parse(bucketPolicy('coinslot', 'server'))
  expect(statements).toEqual([
    { Effect: 'Allow', Principal: { AWS: '*' }, Action: 's3:GetObject', Resource: 'arn:aws:s3:::coinslot/*' },
    {
      Effect: 'Allow',
      Principal: { AWS: 'server' },
      Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
      Resource: 'arn:aws:s3:::coinslot/*',
    },
  ])
})

test('error: M6 pages of the site alone may read the objects', () => {
  const cors = bucketCors(['https://coinslot.example/', 'https://www.coinslot.example'])
  expect([...cors.matchAll(/<AllowedOrigin>(.*?)<\/AllowedOrigin>/g)].map(([, origin]) => origin)).toEqual([
    'https://coinslot.example',
    'https://www.coinslot.example',
  ])
  expect([...cors.matchAll(/<AllowedMethod>(.*?)<\/AllowedMethod>/g)].map(([, name]) => name)).toEqual(['GET', 'HEAD'])
})
