import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { startS3Server } from '../../dev/s3/server.ts'

/** A secret with the marks that a careless step between environment and signature mangles. */
export const S3_CREDENTIALS = { accessKeyId: 'AK', secretAccessKey: 'a/b+c=d' }

/** A client that signs for S3 and never repeats a call. */
export const s3Client = (credentials = S3_CREDENTIALS): AwsClient =>
  new AwsClient({ ...credentials, service: 's3', region: 'auto', retries: 0 })

export interface TestS3 {
  /** Origin, without the bucket `results`. */
  url: string
  /** The folder the server keeps its objects in. */
  dir: string
  /** Path-style URL of a key, encoded segment by segment. */
  urlOf(key: string): string
  /** A signed PUT. */
  put(key: string, body: BodyInit, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

/** The local S3 with an empty bucket `results`, and a key that may list unless `mayList` is false. */
export async function startTestS3({ mayList = true } = {}): Promise<TestS3> {
  const dir = mkdtempSync(join(tmpdir(), 'coinslot-test-'))
  const server = await startS3Server({ ...S3_CREDENTIALS, bucket: 'results', dir, mayList })
  const owner = s3Client()
  const urlOf = (key: string) => `${server.url}/results/${key.split('/').map(encodeURIComponent).join('/')}`
  return {
    url: server.url,
    dir,
    urlOf,
    put: (key, body, headers = {}) => owner.fetch(urlOf(key), { method: 'PUT', body, headers }),
    async close() {
      await server.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Status and S3 error code of an answer, e.g. `[403, 'AccessDenied']`. */
export async function s3Refusal(response: Response): Promise<[number, string | undefined]> {
  return [response.status, /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1]]
}
