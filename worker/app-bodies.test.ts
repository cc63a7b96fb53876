import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../test/helpers/app.ts'
import { codeOf, problem, signedIn } from '../test/helpers/app-calls.ts'
import { makeTestConfig, TEST_ORIGIN } from '../test/helpers/config.ts'

const POST_ROUTES = ['/api/auth/verify', '/api/inference', '/api/inference/estimate']

describe('bodies', () => {
  const json = { 'Content-Type': 'application/json' }
  const estimate = { task: 'text-to-text', model: 'no/such', input: { prompt: 'hello' } }

  it.each(POST_ROUTES)('error: invalid_json at %s for text that is not JSON', async (path) => {
    const { signedInClient } = await signedIn()
    for (const body of ['{bad', '', '{"a":1}x', '\ufeff{}']) {
      const answer = await signedInClient.post(path, body, json)
      expect([answer.status, codeOf(answer)], body).toEqual([400, 'invalid_json'])
    }
  })

  it('error: invalid_request names the path of each unknown member, up to a limit', async () => {
    const input = { prompt: 'a', image: 'x' }
    const body = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input }
    const estimate = (sent: object) => makeTestApp().client().post('/api/inference/estimate', sent)
    expect((await estimate(body)).json).toMatchObject({
      errors: [{ path: 'input.image', message: 'Unknown member' }],
    })
    const flood = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`member${index}`, 0]))
    const answer = await estimate({ ...body, ...flood })
    expect([answer.status, answer.text.length < 4_000]).toEqual([400, true])
  })

  it.each(POST_ROUTES)('error: invalid_request at %s for JSON of another shape', async (path) => {
    const { signedInClient } = await signedIn()
    for (const body of ['null', '5', '"x"', '[]', '{}', '{"nothing":1}']) {
      const answer = await signedInClient.post(path, body, json)
      expect([answer.status, codeOf(answer)], body).toEqual([400, 'invalid_request'])
      expect(answer.json).toMatchObject({ errors: expect.any(Array), nextAction: 'fix_request' })
    }
  })

  it.each([
    ['/api/inference', {}],
    ['/api/inference', { 'Content-Length': '9' }],
    ['/api/inference/estimate', { 'Content-Length': '9' }],
    ['/api/webhooks/model-provider', { 'Content-Length': '9' }],
  ])('error: invalid_request at %s for a body that ends early, with %j', async (path, length) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) })
    const init = { method: 'POST', headers: { ...json, ...length }, body, duplex: 'half' }
    const provider = { ...makeTestConfig().provider, webhookSecret: 'whsec_c2VjcmV0' }
    const { app } = makeTestApp({ config: makeTestConfig({ provider }) })
    const response = await app.request(TEST_ORIGIN + path, init, {})
    expect([response.status, problem.parse(await response.json()).code]).toEqual([400, 'invalid_request'])
  })

  it('error: bytes that are not UTF-8, and UTF-16', async () => {
    const { app } = makeTestApp()
    const broken = new Uint8Array([...new TextEncoder().encode('{"task":"'), 0xff, ...new TextEncoder().encode('"}')])
    const utf16 = new Uint8Array(Buffer.from('{"task":1}', 'utf16le'))
    for (const body of [broken, utf16]) {
      const init = { method: 'POST', headers: json, body }
      const response = await app.request(`${TEST_ORIGIN}/api/inference/estimate`, init, {})
      expect([response.status, problem.parse(await response.json()).code]).toEqual([400, 'invalid_json'])
    }
  })

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/json-patch+json'],
    ['application/problem+json'],
  ])('error: unsupported_media_type for %s', async (type) => {
    const answer = await makeTestApp().client().post('/api/inference/estimate', estimate, { 'Content-Type': type })
    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type'])
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('behavior: %s is JSON', async (type) => {
    const answer = await makeTestApp().client().post('/api/inference/estimate', estimate, { 'Content-Type': type })
    expect([answer.status, codeOf(answer)]).toEqual([404, 'model_not_found'])
  })

  it.each(['gzip', 'br', 'deflate', 'zstd'])(
    'error: unsupported_media_type for a body in %s, plain or not',
    async (encoding) => {
      const answer = await makeTestApp()
        .client()
        .post('/api/inference/estimate', estimate, { 'Content-Encoding': encoding })
      expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type'])
    },
  )

  it('error: payload_too_large at one byte over 64 KiB, declared or streamed', async () => {
    const { app } = makeTestApp()
    const text = (size: number): string => `"${'x'.repeat(size - 2)}"`
    const stream = (size: number): ReadableStream<Uint8Array> => new Blob([text(size)]).stream()
    const send = async (body: BodyInit, length?: number) => {
      const headers = { ...json, ...(length !== undefined && { 'Content-Length': String(length) }) }
      const init = { method: 'POST', headers, body, duplex: 'half' }
      const response = await app.request(`${TEST_ORIGIN}/api/inference/estimate`, init, {})
      return problem.parse(await response.json()).code
    }
    expect(await send(text(65_536), 65_536)).toBe('invalid_request')
    expect(await send(text(65_537), 65_537)).toBe('payload_too_large')
    expect(await send(stream(65_536))).toBe('invalid_request')
    expect(await send(stream(65_537))).toBe('payload_too_large')
  })

  it('behavior: webhooks may hold 1 MiB', async () => {
    const { client } = makeTestApp()
    const path = '/api/webhooks/model-provider'
    expect(codeOf(await client().post(path, 'x'.repeat(1_048_576), json))).toBe('not_found')
    expect(codeOf(await client().post(path, 'x'.repeat(1_048_577), json))).toBe('payload_too_large')
  })

  it('error: nesting that would exhaust the stack', async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    const answer = await makeTestApp().client().post('/api/inference/estimate', deep, json)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['{"__proto__":{"isAdmin":true},"task":"text-to-text","model":"a/b"}', 'invalid_request'],
    ['{"constructor":{"prototype":{"price":"0"}},"task":"text-to-text","model":"a/b"}', 'invalid_request'],
    ['{"task":"text-to-text","model":"__proto__"}', 'model_not_found'],
    [
      '{"task":"text-to-text","model":"meta/meta-llama-3-8b-instruct","input":{"prompt":"a","__proto__":{"b":1}}}',
      'invalid_request',
    ],
    ['{"task":"text-to-text","model":"constructor"}', 'model_not_found'],
    ['{"task":"text-to-text","model":"toString"}', 'model_not_found'],
  ])('error: prototype keys are unknown members or no model: %s', async (body, code) => {
    const answer = await makeTestApp().client().post('/api/inference/estimate', body, json)
    expect(codeOf(answer)).toBe(code)
    expect(Object.prototype).not.toHaveProperty('isAdmin')
  })
})
