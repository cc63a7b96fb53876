import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../test/helpers/sign-payment.ts'
import { checkModels } from '../../domain/models/availability.ts'
import { catalogue } from '../../domain/models/catalogue.ts'
import type { PaymentRequired } from '../../x402/schemas.ts'
import { answers } from '../openapi/schemas.ts'

const db = useDatabase()
const CHAT = '/v1/chat/completions'
const chat = { model: requests.text.model, messages: [{ role: 'user', content: requests.text.input.prompt }] }
const TEXT = 'One. Two. Three. END of it.'

const completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }), finish_reason: z.string() })]),
  usage: z.looseObject({}),
})

/** A buyer of text, on a provider whose runs end with it. */
async function setUp(output: unknown = TEXT, tokens: { input: number; output: number } | null = null) {
  const service = openService(db.database)
  Object.assign(service.provider.state, { output, tokens })
  const buyer = await service.openBuyer()
  const post = (body: object, headers: Record<string, string> = {}) =>
    buyer.call(CHAT, { method: 'POST', body: JSON.stringify(body), headers })
  const sign = async (body: object) => {
    const required = decodeHeader((await post(body)).headers.get('Payment-Required')) as PaymentRequired
    return { 'Payment-Signature': await buyer.sign(required) }
  }
  const buy = async (body: object) => completion.parse(await (await post(body, await sign(body))).json())
  return { ...service, buyer, post, sign, buy }
}

/** The chunks of a stream. */
const chunksOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => answers().ChatCompletionChunk.parse(JSON.parse(line.slice('data: '.length))))
    .map((chunk) =>
      z
        .looseObject({ choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().optional() }) })) })
        .parse(chunk),
    )

describe('an answer in text', () => {
  it('behavior: O1 stop cuts the answer alone: the record and its digest have the whole text', async () => {
    const { buyer, post, sign } = await setUp()
    const body = { ...chat, stop: ['nowhere', 'END'] }
    const payment = await sign(body)
    const answer = completion.parse(await (await post(body, payment)).json())
    expect(answer.choices[0]).toEqual({ message: { content: 'One. Two. Three. ' }, finish_reason: 'stop' })
    const whole = await (await buyer.pay(requests.text, payment['Payment-Signature'])).json()
    expect(whole).toMatchObject({ output: { type: 'text', text: TEXT } })
    expect(whole).not.toHaveProperty('output.tokens')
  })

  it.each([
    ['length', { input: 9, output: 40 }, 40, TEXT],
    ['stop', { input: 9, output: 39 }, 40, TEXT],
    ['stop', { input: 9, output: 512 }, undefined, 'One. '],
    ['length', { input: 9, output: 512 }, undefined, TEXT],
  ])(
    'behavior: O2 finish_reason is %s with the tokens %j and a limit of %s',
    async (reason, tokens, max_tokens, content) => {
      const { post, sign } = await setUp(TEXT, tokens)
      const body = { ...chat, max_tokens, ...(content !== TEXT && { stop: 'Two' }) }
      const payment = await sign(body)
      for (const _ of ['the purchase', 'its replay']) {
        const answer = completion.parse(await (await post(body, payment)).json())
        expect(answer.choices[0]).toEqual({ message: { content }, finish_reason: reason })
        const total_tokens = tokens.input + tokens.output
        expect(answer.usage).toEqual({ prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens })
      }
    },
  )

  it('behavior: O2 a stream ends with the reason, and with the usage as the provider counts it', async () => {
    const { post, sign, time } = await setUp(TEXT, { input: 3, output: 512 })
    const body = { ...chat, stream: true, stream_options: { include_usage: true } }
    const chunks = chunksOf(await time.run((await post(body, await sign(body))).text()))
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'length' }] })
    expect(chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: 3, completion_tokens: 512, total_tokens: 515 } })
  })

  it('behavior: O1 a stream never shows a letter past a stop that comes in two pieces', async () => {
    const { post, sign, time, provider, clock } = await setUp()
    const words = ['One. T', 'w', 'o. Three', '. EN', 'D of it.']
    provider.state.plays = (prediction) => {
      const age = clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)
      const output = words.slice(0, Math.ceil(age / 1000))
      return age < 6_000
        ? { ...prediction, status: 'running', rawStatus: 'processing', output }
        : { ...prediction, output }
    }
    const body = { ...chat, stream: true, stop: ['Two! ', 'END'] }
    const chunks = chunksOf(await time.run((await post(body, await sign(body))).text()))
    const contents = chunks
      .flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ''))
      .filter((one) => one !== '')
    expect(contents.join('')).toBe('One. Two. Three. ')
    expect(contents.length).toBeGreaterThan(1)
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  })

  it('error: O1 a 402 names the page that says how to pay, with accepts beside the error', async () => {
    const { post } = await setUp()
    const answer = await post(chat)
    const required = decodeHeader(answer.headers.get('Payment-Required')) as PaymentRequired
    expect(await answer.json()).toMatchObject({
      error: {
        message: expect.stringContaining(`${TEST_ORIGIN}/docs`),
        type: 'payment_required_error',
        code: 'payment_required',
        param: null,
      },
      paymentState: 'unused',
      nextAction: 'sign_new_payment',
      accepts: required.accepts,
    })
  })
})

describe('GET /v1/models', () => {
  const LLAMA = 'meta/meta-llama-3-8b-instruct'
  const RETIRED = catalogue.filter(({ deprecatedAt }) => deprecatedAt !== undefined)

  it.each([LLAMA, LLAMA.replace('/', '%2F'), LLAMA.replace('/', '%2f')])(
    'default: O3 the model at %s',
    async (path) => {
      const { buyer } = await setUp()
      const answer = await buyer.call(`/v1/models/${path}`)
      const created = Date.UTC(2024, 3, 18) / 1000
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { id: LLAMA, object: 'model', created, owned_by: 'meta' },
      ])
    },
  )

  it('behavior: O3 a model that is retired or gone is neither listed nor found', async () => {
    const { buyer, clock, provider, deps } = await setUp()
    provider.state.missingModels.add('meta/musicgen')
    await checkModels(deps)
    const off = [
      'meta/musicgen',
      ...RETIRED.filter(({ deprecatedAt = '' }) => clock.now() >= new Date(deprecatedAt)).map(({ id }) => id),
    ]
    expect(off.length).toBeGreaterThan(1)
    const list = z.object({ data: z.array(z.object({ id: z.string(), created: z.number().min(1.6e9) })) })
    const { data } = list.parse(await (await buyer.call('/v1/models')).json())
    expect(data.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id).filter((id) => !off.includes(id)))
    for (const id of [...off, 'no/such', 'constructor', '', '%']) {
      const answer = await buyer.call(`/v1/models/${id}`)
      expect([id, answer.status, await answer.json()]).toMatchObject([id, 404, { error: { code: 'model_not_found' } }])
    }
  })
})

describe('the text of a call', () => {
  it.each(catalogue.map(({ id, task, promptField }) => ({ id, task, promptField })))(
    'behavior: O9 $id takes its text as prompt',
    async ({ id, task, promptField }) => {
      const { buyer } = await setUp()
      const estimate = (input: object) =>
        buyer.call('/api/inference/estimate', { method: 'POST', body: JSON.stringify({ task, model: id, input }) })
      expect((await estimate({ prompt: 'hello', seed: 'x' })).status).toBe(400)
      expect((await estimate({ prompt: 'hello' })).status).toBe(200)
      const empty = await estimate({ prompt: ' ' })
      expect([empty.status, await empty.json()]).toMatchObject([
        400,
        { errors: expect.arrayContaining([{ path: 'input.prompt', message: expect.stringContaining('visible') }]) },
      ])
      if (promptField !== 'prompt') expect((await estimate({ prompt: 'a', [promptField]: 'b' })).status).toBe(400)
    },
  )
})
