import { afterEach, expect, test } from 'vitest'
import { S3_CREDENTIALS, startTestS3, type TestS3 } from '../../../test/helpers/s3.ts'
import { StorageUnavailable } from './object-store.ts'
import { makeS3Store } from './s3.ts'

let s3: TestS3 | undefined
afterEach(() => s3?.close())

async function storeWith({ mayList = true, secretAccessKey = S3_CREDENTIALS.secretAccessKey, bucket = 'results' }) {
  s3 = await startTestS3({ mayList })
  const calls: string[] = []
  const config = { ...S3_CREDENTIALS, secretAccessKey, endpoint: s3.url, bucket, publicUrl: `${s3.url}/${bucket}` }
  const store = makeS3Store(config, {
    fetch: (url, init) => {
      calls.push(`${init?.method} ${new URL(url).pathname}`)
      return fetch(url, init)
    },
    sleep: () => Promise.reject(new Error('nothing here is worth a pause')),
  })
  return { store, calls }
}

test.each([true, false])(
  'behavior: D2 the probe is written once and then only asked for (may list: %s)',
  async (mayList) => {
    const { store, calls } = await storeWith({ mayList })
    await store.check()
    await store.check()
    expect(calls).toEqual(['HEAD /results/health', 'PUT /results/health', 'HEAD /results/health'])
    expect(await store.head('health')).toMatchObject({ contentType: 'text/plain' })
  },
)

test.each([true, false])('error: D2 a wrong key fails the check (may list: %s)', async (mayList) => {
  const { store } = await storeWith({ mayList, secretAccessKey: 'another' })
  await expect(store.check()).rejects.toThrow(
    new StorageUnavailable('the object store answered 403 SignatureDoesNotMatch'),
  )
})

test('error: D2 a missing bucket fails the check', async () => {
  const { store } = await storeWith({ bucket: 'resluts' })
  await expect(store.check()).rejects.toThrow(new StorageUnavailable('the object store answered 404 NoSuchBucket'))
})

test('behavior: D2 a key without the right to list gets 403 for a missing object, as on S3', async () => {
  const { store } = await storeWith({ mayList: false })
  await expect(store.head('i/none.png')).rejects.toBeInstanceOf(StorageUnavailable)
})
