import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSite, type Site } from './site.ts'

const folder = mkdtempSync(join(tmpdir(), 'coinslot-site-'))
const PAGE = `<!doctype html>${'<p>words</p>'.repeat(50)}`
let site: Site

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'problems.html'), '<p>problems</p>')
  writeFileSync(join(folder, 'assets/a.woff2'), 'font')
  writeFileSync(join(folder, '.vite/manifest.json'), '{}')
  writeFileSync(join(folder, '404.html'), '<p>nothing here</p>')
  writeFileSync(
    join(folder, '_redirects'),
    '/a /b\n/pt /pt-br/ 302\n/pt/* /pt-br/:splat 302\n/en/* / 302\n/gallery/* / 200\n',
  )
  writeFileSync(
    join(folder, '_headers'),
    '/*\n  X-Frame-Options: DENY\n/assets/*\n  ! Cache-Control\n  Cache-Control: immutable\n',
  )
  const loaded = await loadSite(folder)
  if (loaded === null) throw new Error('no site')
  site = loaded
})
afterAll(() => rmSync(folder, { recursive: true }))

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  site(new Request(`http://127.0.0.1:3000${path}`, { method, headers }))

test('default: pages by name, the app for its own paths, files with their type, _headers obeyed', async () => {
  expect(await get('/').text()).toBe(PAGE)
  expect(await get('/gallery/some-id').text()).toBe(PAGE)
  expect(await get('/problems').text()).toBe('<p>problems</p>')
  const font = get('/assets/a.woff2')
  expect(font.headers.get('content-type')).toBe('font/woff2')
  expect(font.headers.get('cache-control')).toBe('immutable')
  expect(font.headers.get('x-frame-options')).toBe('DENY')
})

test('behavior: gzip for who takes it, 304 for who has it, no body for HEAD', async () => {
  const zipped = get('/', { 'accept-encoding': 'br, gzip' })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(new Uint8Array(await zipped.arrayBuffer())).toString()).toBe(PAGE)
  expect(get('/', { 'accept-encoding': 'gzip;q=0' }).headers.get('content-encoding')).toBeNull()
  expect(zipped.headers.get('etag')).toMatch(/^W\/"[\w-]{22}"$/)
  const etag = zipped.headers.get('etag') ?? ''
  const again = get('/', { 'if-none-match': etag })
  expect([again.status, again.headers.get('x-frame-options')]).toEqual([304, 'DENY'])
  const statuses = ['*', `"old", ${etag}`, `x${etag}`].map((tags) => get('/', { 'if-none-match': tags }).status)
  expect([...statuses, get('/nope', { 'if-none-match': '*' }).status]).toEqual([304, 304, 200, 404])
  const head = get('/', {}, 'HEAD')
  expect([head.headers.get('content-length'), await head.text()]).toEqual([`${PAGE.length}`, ''])
})

test('error: files outside the site, hidden files and other methods are refused', async () => {
  for (const path of [
    '/_headers',
    '/_redirects',
    '/.vite/manifest.json',
    '/missing.js',
    '/%2e%2e/%2e%2e/etc/passwd.txt',
  ]) {
    expect(get(path).status).toBe(404)
  }
  for (const path of ['/nope', '/a', '/../../etc/passwd', '/missing.js']) {
    const missing = get(path)
    expect([missing.status, await missing.text()]).toEqual([404, '<p>nothing here</p>'])
  }
  const posted = get('/', {}, 'POST')
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect(await loadSite(join(folder, 'assets'))).toBeNull()
})

test('error: a missing folder holds none; one that cannot be read throws', async () => {
  expect(await loadSite(join(folder, 'missing'))).toBeNull()
  await expect(loadSite(join(folder, 'index.html'))).rejects.toThrow('ENOTDIR')
  const other = mkdtempSync(join(tmpdir(), 'coinslot-site-'))
  writeFileSync(join(other, 'index.html'), PAGE)
  mkdirSync(join(other, '_headers'))
  await expect(loadSite(other)).rejects.toThrow('EISDIR')
  rmSync(other, { recursive: true })
})

test.each([
  ['/pt', '/pt-br/'],
  ['/pt/history?q=a', '/pt-br/history?q=a'],
  ['/pt//evil.example', '/pt-br//evil.example'],
  ['/en//evil.example', '/'],
])('error: B14 %s is another name of a language, and leads to %s', (path, location) => {
  const answer = get(path)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, location])
})
