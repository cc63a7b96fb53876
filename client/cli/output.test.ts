import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { download, FileTooLargeError, fileAddress } from '../node/download.ts'
import type { Result } from '../src/types.ts'
import { assertWritable, saveResult } from './output.ts'

const ID = '7a46d6cf-d8fe-4820-8ddf-0884a3aaa2da'

const METRICS: Result['metrics'] = {
  predictTimeMs: 1_234,
  estimatedSeconds: 10,
  estimatedCostUsdc: '0.010000',
  actualCostUsdc: '0.001234',
  paymentAsset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  paymentAmount: '10000',
  paymentTxHash: `0x${'11'.repeat(32)}`,
  paymentNetwork: 'eip155:8453',
}

let server: Server
let origin: string
let folder: string
let out: string

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { Location: '/a.webp' }).end()
    else if (request.url === '/endless') {
      const more = (): void =>
        void (response.write(Buffer.alloc(64 * 1024)) ? setImmediate(more) : response.once('drain', more))
      more()
    } else response.writeHead(200, { 'Content-Type': 'image/webp' }).end('RIFF')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-'))
  out = join(folder, 'out')
  await mkdir(out)
})
afterEach(() => rm(folder, { recursive: true }))

/** A result as a service may send it. */
function resultOf(id: string, ...paths: string[]): Result {
  const urls = paths.map((path) => `${origin}${path}`)
  return { id, status: 'succeeded', output: { type: 'image', urls }, metrics: METRICS }
}

describe('saveResult', () => {
  it('default: a folder gets a file per output, named by the id of the purchase', async () => {
    const paths = await saveResult(resultOf(ID, '/a.webp', '/b.PNG?x=/y.sh'), `${out}/`, { origin })
    expect(paths).toEqual([join(out, `${ID}-1.webp`), join(out, `${ID}-2.png`)])
    expect(await readdir(out)).toEqual([`${ID}-1.webp`, `${ID}-2.png`])
  })

  it.each(['../../.bashrc', '/etc/passwd', '..', `${ID}/../../x`, `${ID}\0`, ''])(
    'error: a result with the id %j writes no file',
    async (id) => {
      await expect(saveResult(resultOf(id, '/a.webp'), out, { origin })).rejects.toThrow('not a UUID')
      await expect(
        saveResult({ ...resultOf(id), output: { type: 'text', text: 'x' } }, out, { origin }),
      ).rejects.toThrow('not a UUID')
      expect([await readdir(folder), await readdir(out)]).toEqual([['out'], []])
    },
  )

  it.each(['/a.sh', '/a.html', '/a', '/..%2f..%2fa.desktop', '/a.web%70'])(
    'behavior: no file gets an extension that no stored file has: %s',
    async (path) => {
      expect(await saveResult(resultOf(ID, path), out, { origin })).toEqual([join(out, ID)])
    },
  )

  it('error: an existing file stays as it is, unless force is set', async () => {
    const [file, link] = [join(out, `${ID}.webp`), join(out, 'link.webp')]
    await writeFile(file, 'precious')
    await symlink(file, link)
    const result = resultOf(ID, '/a.webp')
    await expect(saveResult(result, out, { origin })).rejects.toThrow('exists; replace it with --force')
    await expect(saveResult(result, link, { origin })).rejects.toThrow('exists; replace it with --force')
    expect(await readFile(file, 'utf8')).toBe('precious')
    await saveResult(result, out, { origin, force: true })
    expect(await readFile(file, 'utf8')).toBe('RIFF')
  })

  it('error: an existing file is refused before anything is paid', async () => {
    await writeFile(join(out, 'a.webp'), 'precious')
    await expect(assertWritable(join(out, 'a.webp'))).rejects.toThrow('this file exists. Nothing was signed.')
    await expect(assertWritable(join(out, 'a.webp'), true)).resolves.toBeUndefined()
    await expect(assertWritable(`${out}/`)).resolves.toBeUndefined()
  })
})

describe('download', () => {
  it('error: FileTooLargeError for a file past the limit, with or without a length', async () => {
    await expect(download(`${origin}/a.webp`, { origin, maxBytes: 3 })).rejects.toThrow(FileTooLargeError)
    await expect(download(`${origin}/endless`, { origin })).rejects.toThrow(FileTooLargeError)
  })

  it('error: a redirect is not followed', async () => {
    await expect(download(`${origin}/moved`, { origin })).rejects.toThrow('/moved answers 302')
  })
})

describe('fileAddress', () => {
  it.each([
    ['https://cdn.example/a.webp', 'https://coinslot.example'],
    ['https://cdn.example/a.webp', 'http://127.0.0.1:8787'],
    ['http://127.0.0.1:9000/bucket/a.webp', 'http://localhost:8787'],
    ['http://10.0.0.7:9000/bucket/a.webp', 'http://10.0.0.7:8787'],
  ])('default: %s may be downloaded for %s', (url, origin) => {
    expect(fileAddress(url, origin).href).toBe(url)
  })

  it.each([
    ['http://cdn.example/a.webp', 'https://coinslot.example'],
    ['http://coinslot.example/a.webp', 'https://coinslot.example'],
    ['http://127.0.0.1:6379/', 'https://coinslot.example'],
    ['https://127.0.0.1/', 'https://coinslot.example'],
    ['https://127.0.0.1/', 'https://127.attacker.example'],
    ['http://127.attacker.example/', 'http://127.0.0.1:8787'],
    ['http://169.254.169.254/latest/meta-data', 'http://127.0.0.1:8787'],
    ['https://[::1]/', 'https://coinslot.example'],
    ['https://[::ffff:10.0.0.1]/', 'https://coinslot.example'],
    ['https://0x7f000001/', 'https://coinslot.example'],
    ['https://localhost/', 'https://coinslot.example'],
    ['https://router.local/', 'https://coinslot.example'],
    ['https://api.internal./', 'https://coinslot.example'],
    ['https://intranet/', 'https://coinslot.example'],
    ['https://user:password@cdn.example/', 'https://coinslot.example'],
    ['file:///etc/passwd', 'https://coinslot.example'],
    ['data:text/plain,x', 'https://coinslot.example'],
    ['a.webp', 'https://coinslot.example'],
  ])('error: %s may not be downloaded for %s', (url, origin) => {
    expect(() => fileAddress(url, origin)).toThrow('the service named a file')
  })
})
