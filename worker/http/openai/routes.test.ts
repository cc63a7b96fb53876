import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeTestConfig, TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../test/helpers/sign-payment.ts'
import { ProviderError } from '../../upstreams/provider/provider.ts'
import type { PaymentRequired } from '../../x402/schemas.ts'

const db = useDatabase()
const FILE = 'https://files.example/out'
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(40).fill(0)])
const WAV = new TextEncoder().encode(`RIFF....WAVE${'.'.repeat(40)}`)

const IMAGES = '/v1/images/generations'
const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const SPEECH = '/v1/audio/speech'
const picture = { model: requests.image.model, prompt: requests.image.input.prompt }
const chat = { model: requests.text.model, messages: [{ role: 'user', content: requests.text.input.prompt }] }
const speech = { model: 'jaaari/kokoro-82m', input: 'Good morning.', voice: 'alloy' }

const problemSchema = z.object({
  error: z.looseObject({ message: z.string(), type: z.string(), code: z.string(), param: z.string().nullable() }),
})

/** A signed-in buyer that calls OpenAI's form, on a provider whose runs end with one file or with text. */
async function setUp(output: unknown = 'a word', file = PNG) {
  const service = openService(db.database)
  service.provider.state.output = output
  service.provider.state.files.set(FILE, file)
  const buyer = await service.openBuyer()
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    buyer.call(path, { method: 'POST', body: JSON.stringify(body), headers })
  const sign = async (path: string, body: unknown) => {
    const answer = await post(path, body)
    expect(answer.status).toBe(402)
    const required = decodeHeader(answer.headers.get('Payment-Required')) as PaymentRequired
    return { 'Payment-Signature': await buyer.sign(required) }
  }
  const errorOf = async (response: Response) => {
    const { error } = problemSchema.parse(await response.json())
    return { status: response.status, ...error }
  }
  return { ...service, buyer, post, sign, errorOf }
}

/** The data lines of a stream. */
const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && !line.endsWith('[DONE]'))
    .map((line) => JSON.parse(line.slice('data: '.length)))

describe("OpenAI's form", () => {
  it.each([
    [IMAGES, undefined],
    [IMAGES, '{}'],
    [CHAT, undefined],
    [CHAT, '{}'],
    [RESPONSES, undefined],
    [RESPONSES, '{}'],
    [SPEECH, undefined],
    [SPEECH, '{}'],
  ])('behavior: an empty probe of %s with the body %s is a 402 with a price', async (path, body) => {
    const { fetch } = openService(db.database)
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(TEST_ORIGIN + path, { method: 'POST', headers, ...(body !== undefined && { body }) })
    expect(answer.status).toBe(402)
    const { accepts, resource } = decodeHeader(answer.headers.get('Payment-Required')) as PaymentRequired
    expect(resource.url).toBe(TEST_ORIGIN + path)
    expect(accepts.length).toBeGreaterThan(0)
  })

  it('error: invalid_request for an empty body of a caller that is signed in', async () => {
    const { post, errorOf } = await setUp()
    expect(await errorOf(await post(IMAGES, {}))).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  it('default: the models by their ids', async () => {
    const { buyer } = await setUp()
    const answer = await (await buyer.call('/v1/models')).json()
    expect(answer).toMatchObject({
      object: 'list',
      data: expect.arrayContaining([expect.objectContaining({ id: chat.model })]),
    })
  })

  it('default: a picture, by address and as base64', async () => {
    const { post, sign, calls } = await setUp([FILE])
    const payment = await sign(IMAGES, picture)
    const answer = await post(IMAGES, picture, payment)
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { data: [{ url: expect.stringMatching(/\.png$/) }] },
    ])
    expect(decodeHeader(answer.headers.get('Payment-Response'))).toMatchObject({ success: true })
    const again = await (await post(IMAGES, { ...picture, response_format: 'b64_json' }, payment)).json()
    expect(again).toMatchObject({ data: [{ b64_json: Buffer.from(PNG).toString('base64') }] })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('default: text, whole', async () => {
    const { post, sign } = await setUp()
    const answer = await post(CHAT, chat, await sign(CHAT, chat))
    expect(await answer.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'a word' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
      metrics: { paymentAmount: '3000' },
    })
  })

  it('default: speech as the bytes of the file', async () => {
    const { post, sign } = await setUp(FILE, WAV)
    const answer = await post(SPEECH, speech, await sign(SPEECH, speech))
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'audio/wav'])
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(WAV)
  })

  it('behavior: the same payment through both endpoints is one run with one result', async () => {
    const { buyer, post, sign, calls } = await setUp()
    const payment = await sign(CHAT, chat)
    const first: unknown = await (await post(CHAT, chat, payment)).json()
    const native: unknown = await (await buyer.pay(requests.text, payment['Payment-Signature'])).json()
    expect(native).toMatchObject({ id: Reflect.get(Object(first), 'id'), output: { text: 'a word' } })
    const other = await post(CHAT, { ...chat, temperature: 0.3 }, payment)
    expect([other.status, await other.json()]).toMatchObject([
      409,
      { error: { code: 'payment_used_for_other_request' } },
    ])
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })
})

describe('a streamed completion', () => {
  const streamed = { ...chat, stream: true, stream_options: { include_usage: true } }

  it('default: chunks, usage, and its end; again for the same payment', async () => {
    const { post, sign, time, provider, clock, calls } = await setUp()
    const words = ['it ', 'is ', 'the ', 'sky']
    provider.state.plays = (prediction) => {
      const age = clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)
      const output = words.slice(0, Math.ceil(age / 1000))
      return age < 4_000
        ? { ...prediction, status: 'running', rawStatus: 'processing', output }
        : { ...prediction, output }
    }
    const payment = await sign(CHAT, streamed)
    for (const least of [2, 1]) {
      const answer = await post(CHAT, streamed, payment)
      expect(answer.headers.get('Content-Type')).toContain('text/event-stream')
      const text = await time.run(answer.text())
      expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
      const chunks = z
        .array(
          z.looseObject({
            object: z.literal('chat.completion.chunk'),
            choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().optional() }) })),
          }),
        )
        .parse(linesOf(text))
      const contents = chunks
        .flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ''))
        .filter((one) => one !== '')
      expect(contents.join('')).toBe('it is the sky')
      expect(contents.length).toBeGreaterThanOrEqual(least)
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } })
    }
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('error: a refusal of /settle is the last line', async () => {
    const { post, sign, time, facilitator } = await setUp()
    facilitator.state.settles = async () => ({ kind: 'refused', reason: 'insufficient_funds' })
    const answer = await post(CHAT, streamed, await sign(CHAT, streamed))
    const lines = linesOf(await time.run(answer.text()))
    expect(lines.at(-1)).toMatchObject({ error: { code: 'payment_rejected', paymentState: 'unused' } })
  })
})

describe('its errors', () => {
  it.each<[string, string, unknown, object]>([
    ['an unknown model', IMAGES, { ...picture, model: 'no/such' }, { status: 404, code: 'model_not_found' }],
    ['a model of another task', IMAGES, { ...picture, model: chat.model }, { status: 400, param: 'model' }],
    ['no prompt', IMAGES, { ...picture, prompt: ' ' }, { status: 400, code: 'invalid_request', param: 'prompt' }],
    ['too many pictures', IMAGES, { ...picture, n: 9 }, { status: 400, param: 'n' }],
    ['tools', CHAT, { ...chat, tools: [{}] }, { status: 400, param: 'tools', type: 'invalid_request_error' }],
    ['two choices', CHAT, { ...chat, n: 2 }, { status: 400, param: 'n' }],
    ['an unknown voice', SPEECH, { ...speech, voice: 'bf_unknown' }, { status: 400, param: 'voice' }],
    ['no body', CHAT, null, { status: 400, code: 'invalid_request' }],
    ['no payment', CHAT, chat, { status: 402, code: 'payment_required', nextAction: 'sign_new_payment' }],
    ['an unknown path', '/v1/embeddings', {}, { status: 404, code: 'not_found' }],
  ])('error: %s', async (_, path, body, expected) => {
    const { post, errorOf } = await setUp()
    expect(await errorOf(await post(path, body))).toMatchObject(expected)
  })

  it('error: what is not ready after 55 s is 503, and the same payment brings it', async () => {
    const { post, sign, errorOf, provider, finish, calls } = await setUp()
    const done = provider.state.plays
    provider.state.plays = (prediction) => ({ ...prediction, status: 'running', rawStatus: 'processing', output: null })
    const payment = await sign(CHAT, chat)
    const answer = await post(CHAT, chat, payment)
    expect([answer.headers.get('Retry-After'), answer.headers.get('X-Should-Retry')]).toEqual(['2', 'false'])
    expect(decodeHeader(answer.headers.get('Payment-Response'))).toMatchObject({ success: true })
    expect(await errorOf(answer)).toMatchObject({
      status: 503,
      code: 'payment_in_progress',
      paymentState: 'settled',
      nextAction: 'retry_same_payment',
      statusUrl: expect.stringMatching(/^\/api\/inference\//),
    })
    provider.state.plays = done
    await finish()
    expect((await post(CHAT, chat, payment)).status).toBe(200)
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('error: a stored file that cannot be read now is 503, and the same payment brings it', async () => {
    const { post, sign, errorOf, store } = await setUp(FILE, WAV)
    const { open } = store
    store.open = async () => null
    const payment = await sign(SPEECH, speech)
    expect(await errorOf(await post(SPEECH, speech, payment))).toMatchObject({ status: 503, paymentState: 'settled' })
    store.open = open
    expect((await post(SPEECH, speech, payment)).status).toBe(200)
  })

  it('error: a failed run is 502 with the state of the money', async () => {
    const { post, sign, errorOf, provider } = await setUp()
    provider.state.createError = new ProviderError('input', 'the provider answered 422')
    const answer = await post(CHAT, chat, await sign(CHAT, chat))
    expect(await errorOf(answer)).toMatchObject({
      status: 502,
      type: 'server_error',
      code: 'inference_failed',
      paymentState: 'settled',
    })
  })

  it('default: OPENAI_ROUTES=false switches every path off', async () => {
    const service = openService(db.database, { config: makeTestConfig({ openaiRoutes: false }) })
    const buyer = await service.openBuyer()
    for (const path of ['/v1/models', IMAGES, CHAT, RESPONSES, SPEECH]) {
      for (const method of ['GET', 'POST']) expect((await buyer.call(path, { method })).status).toBe(404)
    }
  })
})
