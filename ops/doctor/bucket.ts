import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Config } from '../../worker/config/config.ts'
import { call, type Fetch, type HttpAnswer } from '../../worker/lib/http.ts'
import { makeS3Store } from '../../worker/upstreams/store/s3.ts'
import { type Check, type Finding, fail, ok, skip, wordsOf } from './finding.ts'

const DEADLINE_MS = 10_000
const TEXT = 'written by npm run doctor; safe to delete'

/** A signed call on one object. */
async function signed(fetch: Fetch, store: Config['objectStore'], method: 'PUT' | 'DELETE', key: string) {
  const { accessKeyId, secretAccessKey, endpoint, bucket } = store
  const url = `${endpoint}/${bucket}/${key}`
  const body = method === 'PUT' ? TEXT : null
  const headers = method === 'PUT' ? { 'content-type': 'text/plain', 'content-length': `${TEXT.length}` } : {}
  const signer = new AwsV4Signer({
    method,
    url,
    headers,
    accessKeyId,
    secretAccessKey,
    service: 's3',
    ...(body && { body }),
  })
  const { url: to, headers: sent } = await signer.sign()
  return call(fetch, to.href, {
    method,
    headers: Object.fromEntries(sent.entries()),
    ...(body && { body }),
    redirect: 'manual',
    deadlineMs: DEADLINE_MS,
  })
}

/** The advice for the error code of S3. */
function refusal(answer: HttpAnswer, doing: string, { bucket }: Config['objectStore']): Finding {
  const code = /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1] ?? ''
  const detail = `the store answers ${answer.status} ${code} to ${doing}`.replace('  ', ' ')
  if (code === 'NoSuchBucket' || answer.status === 404) {
    const advice = `OBJECT_STORE_BUCKET_NAME: there is no bucket ${bucket} in this account. Create it (npx wrangler r2 bucket create ${bucket}) or correct the name.`
    return fail('bucket', detail, advice)
  }
  if (answer.status === 401 || answer.status === 403) {
    const advice = `OBJECT_STORE_ACCESS_KEY_ID and OBJECT_STORE_SECRET_ACCESS_KEY: give the key of a token that may read and write objects of the bucket ${bucket}, both parts of the same one.`
    return fail('bucket', detail, advice)
  }
  return fail('bucket', detail, 'Try again; if it persists, see the status page of the store.')
}

/** Writes, reads over the public address, deletes; and writes the object that health checks ask for, where it is missing. */
export const checkBucket: Check = async ({ config: { objectStore }, fetch, newId }) => {
  const key = `doctor/${newId()}.txt`
  const doesNotAnswer = (error: unknown): Finding[] => {
    const advice =
      'OBJECT_STORE_ENDPOINT (or OBJECT_STORE_ACCOUNT_ID for R2): no object store answers there. Correct it.'
    return [
      fail('bucket', `${new URL(objectStore.endpoint).host} does not answer: ${wordsOf(error)}`, advice),
      skip('public objects', 'nothing could be written'),
    ]
  }
  try {
    const put = await signed(fetch, objectStore, 'PUT', key)
    if (put.status !== 200)
      return [refusal(put, 'a write', objectStore), skip('public objects', 'nothing could be written')]
    const read = await checkPublic(fetch, objectStore, key)
    const removed = await signed(fetch, objectStore, 'DELETE', key)
    const isGone = removed.status === 204 || removed.status === 200
    const written = isGone
      ? ok('bucket', `${objectStore.bucket}: written and deleted`)
      : refusal(removed, 'a deletion', objectStore)
    await makeS3Store(objectStore, { fetch, sleep }).check()
    return [written, read]
  } catch (error) {
    return doesNotAnswer(error)
  }
}

async function checkPublic(fetch: Fetch, { publicUrl }: Config['objectStore'], key: string): Promise<Finding> {
  const advice =
    'OBJECT_STORE_PUBLIC_URL: connect a domain of yours to the bucket (R2: Settings, Custom Domains) and give its address, with ' +
    'the bucket in the path only where the store wants it there. Everyone must be able to read one object, and no one to list them.'
  const answer = await call(fetch, `${publicUrl}/${key}`, { deadlineMs: DEADLINE_MS }).catch(wordsOf)
  if (typeof answer === 'string') return fail('public objects', `${publicUrl} does not answer: ${answer}`, advice)
  if (answer.status !== 200 || answer.text !== TEXT) {
    return fail('public objects', `${publicUrl} answers ${answer.status}, not what was written`, advice)
  }
  const list = await call(fetch, `${publicUrl}/?list-type=2&max-keys=1`, { deadlineMs: DEADLINE_MS }).catch(() => null)
  if (list?.status === 200 && list.text.includes('<ListBucketResult')) {
    const advice = 'Remove the public right to list (S3: s3:ListBucket): a list shows the results of all buyers.'
    return fail('public objects', `${publicUrl} lists its objects to everyone`, advice)
  }
  return ok('public objects', `${publicUrl} returns what was written`)
}
