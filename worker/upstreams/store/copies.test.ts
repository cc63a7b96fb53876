import { afterEach, expect, test, vi } from 'vitest'
import { S3_CREDENTIALS, startTestS3, type TestS3 } from '../../../test/helpers/s3.ts'
import { StorageUnavailable } from './object-store.ts'
import { makeS3Store } from './s3.ts'

let s3: TestS3 | undefined
afterEach(async () => {
  vi.useRealTimers()
  await s3?.close()
})

const bytes = new TextEncoder().encode('hello')
const noPause = () => Promise.reject(new Error('nothing here is worth a pause'))

async function openStore() {
  s3 = await startTestS3()
  const config = { ...S3_CREDENTIALS, endpoint: s3.url, bucket: 'results', publicUrl: `${s3.url}/results` }
  const store = makeS3Store(config, { fetch: (url, init) => fetch(url, init), sleep: noPause })
  await store.put('i/a/0.png', bytes, { contentType: 'image/png', length: bytes.length })
  return store
}

test('error: G4 a copy has its own time, the bytes and type, and an hour in caches', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T10:00:00Z') })
  const store = await openStore()
  vi.setSystemTime(new Date('2026-12-24T18:00:00Z'))
  expect(await store.copy('i/a/0.png', 's/b/0.png', 3_600)).toBe(true)
  const [source, copy] = [await fetch(store.publicUrl('i/a/0.png')), await fetch(store.publicUrl('s/b/0.png'))]
  expect(source.headers.get('last-modified')).toBe('Fri, 27 Nov 2026 10:00:00 GMT')
  expect(copy.headers.get('last-modified')).toBe('Thu, 24 Dec 2026 18:00:00 GMT')
  expect(copy.headers.get('cache-control')).toBe('public, max-age=3600')
  expect([copy.headers.get('content-type'), await copy.text()]).toEqual(['image/png', 'hello'])
})

test('error: G4 a removed copy is gone, the source stays, and a repeat is harmless', async () => {
  const store = await openStore()
  await store.copy('i/a/0.png', 's/b/0.png', 3_600)
  for (const _time of ['first', 'second']) await store.delete('s/b/0.png')
  expect([await store.head('s/b/0.png'), await store.head('i/a/0.png')]).toEqual([
    null,
    { contentType: 'image/png', length: 5 },
  ])
})

test('behavior: a file that is not there is not copied', async () => {
  expect(await (await openStore()).copy('i/a/1.png', 's/b/1.png', 3_600)).toBe(false)
})

test('error: a copy whose 200 carries an error, and a refused removal, throw StorageUnavailable', async () => {
  const config = {
    ...S3_CREDENTIALS,
    endpoint: 'https://store.example',
    bucket: 'results',
    publicUrl: 'https://cdn.example',
  }
  const store = makeS3Store(config, {
    fetch: async (_url, init) => {
      if (init?.method === 'DELETE') return new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 })
      return new Response(init?.method === 'HEAD' ? null : '<Error><Code>InternalError</Code></Error>')
    },
    sleep: noPause,
  })
  await expect(store.copy('a', 'b', 1)).rejects.toThrow(
    new StorageUnavailable('the object store did not copy an object'),
  )
  await expect(store.delete('a')).rejects.toThrow(new StorageUnavailable('the object store answered 403 AccessDenied'))
})
