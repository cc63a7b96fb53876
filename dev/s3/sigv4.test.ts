import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { S3_CREDENTIALS, s3Client, s3Refusal, startTestS3, type TestS3 } from '../../test/helpers/s3.ts'
import { identify } from './sigv4.ts'
import { parseTarget } from './target.ts'

describe("the examples of Amazon's own documentation", () => {
  const credentials = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const now = new Date('2013-05-24T00:00:00Z')
  const scope = `${credentials.accessKeyId}/20130524/us-east-1/s3/aws4_request`
  const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

  function check(
    method: string,
    rawTarget: string,
    signedHeaders: string,
    signature: string,
    more: IncomingHttpHeaders,
  ) {
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-date': '20130524T000000Z',
      'x-amz-content-sha256': emptySha256,
      authorization: `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${signedHeaders},Signature=${signature}`,
      ...more,
    }
    return identify({ method, target: parseTarget(rawTarget), headers }, credentials, now)
  }

  test('default: GET of an object with a range', () => {
    const signature = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
    const caller = check('GET', '/test.txt', 'host;range;x-amz-content-sha256;x-amz-date', signature, {
      range: 'bytes=0-9',
    })
    expect(caller).toEqual({ kind: 'owner', payloadSha256: emptySha256 })
  })

  test('default: PUT of an object with a $ in its name', () => {
    const payload = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'
    const signature = '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd'
    const caller = check(
      'PUT',
      '/test$file.text',
      'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
      signature,
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-content-sha256': payload,
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
    )
    expect(caller).toEqual({ kind: 'owner', payloadSha256: payload })
  })

  test.each([
    ['/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('default: GET %s of a bucket', (target, signature) => {
    expect(check('GET', target, 'host;x-amz-content-sha256;x-amz-date', signature, {})).toMatchObject({ kind: 'owner' })
  })

  test('default: a presigned GET', () => {
    const query = [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256',
      `X-Amz-Credential=${encodeURIComponent(scope)}`,
      'X-Amz-Date=20130524T000000Z',
      'X-Amz-Expires=86400',
      'X-Amz-SignedHeaders=host',
      'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    ]
    const target = parseTarget(`/test.txt?${query.join('&')}`)
    const headers = { host: 'examplebucket.s3.amazonaws.com' }
    expect(identify({ method: 'GET', target, headers }, credentials, now)).toEqual({
      kind: 'owner',
      payloadSha256: null,
    })
  })
})

describe('signatures over HTTP', () => {
  let s3: TestS3
  const owner = s3Client()
  beforeAll(async () => {
    s3 = await startTestS3()
    await s3.put('i/1/0.png', 'pixels')
  })
  afterAll(() => s3.close())

  test('behavior: a presigned URL writes and reads until it expires', async () => {
    const presign = (method: string, seconds: number, datetime?: string) => {
      const aws = { signQuery: true, ...(datetime === undefined ? {} : { datetime }) }
      return owner.sign(`${s3.urlOf('pre signed.txt')}?X-Amz-Expires=${seconds}`, { method, aws })
    }
    const upload = await fetch((await presign('PUT', 60)).url, { method: 'PUT', body: 'text' })
    expect(upload.status).toBe(200)
    expect(await (await fetch((await presign('GET', 60)).url)).text()).toBe('text')
    const old = await presign('GET', 60, new Date(Date.now() - 120_000).toISOString().replace(/[:-]|\.\d{3}/g, ''))
    expect(await s3Refusal(await fetch(old.url))).toEqual([403, 'AccessDenied'])
  })

  test('error: SignatureDoesNotMatch for a wrong secret, or a changed path, query or header', async () => {
    const stranger = s3Client({ ...S3_CREDENTIALS, secretAccessKey: 'a/b c=d' })
    const wrong = await stranger.fetch(s3.urlOf('x.txt'), { method: 'PUT', body: 'x' })
    const signed = await owner.sign(`${s3.url}/results?list-type=2&prefix=i`, { headers: { 'x-amz-meta-a': '1' } })
    const headers = Object.fromEntries(signed.headers)
    const answers = [
      wrong,
      await fetch(`${s3.url}/results/i/1/0.png?list-type=2&prefix=i`, { headers }),
      await fetch(`${s3.url}/results?list-type=2&prefix=`, { headers }),
      await fetch(signed.url, { headers: { ...headers, 'x-amz-meta-a': '2' } }),
    ]
    for (const answer of answers) expect(await s3Refusal(answer)).toEqual([403, 'SignatureDoesNotMatch'])
    expect((await fetch(signed.url, { headers })).status).toBe(200)
  })

  test('error: AccessDenied for an x-amz header that was added after signing', async () => {
    const signed = await owner.sign(s3.urlOf('x.txt'), { method: 'PUT', body: 'x' })
    const headers = { ...Object.fromEntries(signed.headers), 'x-amz-meta-a': '1' }
    expect(await s3Refusal(await fetch(signed.url, { method: 'PUT', body: 'x', headers }))).toEqual([
      403,
      'AccessDenied',
    ])
  })

  test('error: InvalidAccessKeyId, RequestTimeTooSkewed, AuthorizationHeaderMalformed', async () => {
    const unknown = await s3Client({ ...S3_CREDENTIALS, accessKeyId: 'OTHER' }).fetch(s3.urlOf('x.txt'))
    const early = await owner.fetch(`${s3.url}/results?list-type=2`, { aws: { datetime: '20200102T030405Z' } })
    const bearer = await fetch(s3.urlOf('x.txt'), { headers: { Authorization: 'Bearer abc' } })
    expect(await s3Refusal(unknown)).toEqual([403, 'InvalidAccessKeyId'])
    expect(await s3Refusal(early)).toEqual([403, 'RequestTimeTooSkewed'])
    expect(await s3Refusal(bearer)).toEqual([400, 'AuthorizationHeaderMalformed'])
  })

  test('error: AccessDenied for any anonymous call other than reading an object', async () => {
    const answers = [
      await fetch(`${s3.url}/results`),
      await fetch(`${s3.url}/results/?list-type=2`),
      await fetch(`${s3.url}/other`),
      await fetch(s3.urlOf('i/1/0.png'), { method: 'PUT', body: 'x' }),
      await fetch(s3.urlOf('i/1/0.png'), { method: 'DELETE' }),
    ]
    for (const answer of answers) expect(await s3Refusal(answer)).toEqual([403, 'AccessDenied'])
    expect(await (await fetch(s3.urlOf('i/1/0.png'))).text()).toBe('pixels')
  })
})
