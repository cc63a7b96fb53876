import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../test/helpers/sign-payment.ts'
import type { PaymentRequired } from '../../x402/schemas.ts'
import { responseBody } from '../openapi/openai-requests.ts'
import { answers } from '../openapi/schemas.ts'
import { parseBody } from './body.ts'
import { responseRequest } from './responses.ts'

const db = useDatabase()
const RESPONSES = '/v1/responses'
const TEXT = 'One. Two. Three.'
const body = { model: requests.text.model, input: requests.text.input.prompt }
const eventSchema = z.looseObject({
  type: z.string(),
  sequence_number: z.int(),
  delta: z.string().optional(),
  response: z.unknown().optional(),
})

/** A buyer of text, on a provider whose runs end with it. */
async function setUp(tokens: { input: number; output: number } | null = null) {
  const service = openService(db.database)
  Object.assign(service.provider.state, { output: TEXT, tokens })
  const buyer = await service.openBuyer()
  const post = (sent: object, headers: Record<string, string> = {}) =>
    buyer.call(RESPONSES, { method: 'POST', body: JSON.stringify(sent), headers })
  const sign = async (sent: object) => {
    const required = decodeHeader((await post(sent)).headers.get('Payment-Required')) as PaymentRequired
    return { 'Payment-Signature': await buyer.sign(required) }
  }
  return { ...service, buyer, post, sign }
}

/** The events of a stream, each with the name of its line. */
const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [name = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(' ') + 1))
      return { name, ...eventSchema.parse(JSON.parse(data)) }
    })

describe('POST /v1/responses', () => {
  it('default: a text, one payment with the other doors', async () => {
    const { buyer, post, sign, calls } = await setUp()
    const payment = await sign(body)
    const answer: unknown = await (await post(body, payment)).json()
    expect(answers().OpenaiResponse.parse(answer)).toMatchObject({
      object: 'response',
      status: 'completed',
      store: false,
      output: [{ role: 'assistant', content: [{ type: 'output_text', text: TEXT }] }],
      usage: { input_tokens: 2, output_tokens: 4, total_tokens: 6 },
      metrics: { paymentAmount: '3000' },
    })
    const native: unknown = await (await buyer.pay(requests.text, payment['Payment-Signature'])).json()
    expect(native).toMatchObject({ id: Reflect.get(Object(answer), 'id'), output: { text: TEXT } })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a text that its limit cut is incomplete', async () => {
    const { post, sign } = await setUp({ input: 2, output: 4 })
    const limited = { ...body, max_output_tokens: 4 }
    const answer = await (await post(limited, await sign(limited))).json()
    expect(answers().OpenaiResponse.parse(answer)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
      usage: { input_tokens: 2, output_tokens: 4 },
    })
  })

  it('default: a stream has the events of OpenAI in their order, and again for the same payment', async () => {
    const { post, sign, time, calls } = await setUp()
    const streamed = { ...body, stream: true }
    const payment = await sign(streamed)
    for (const _ of ['the purchase', 'its replay']) {
      const events = eventsOf(await time.run((await post(streamed, payment)).text()))
      expect(events.map(({ name }) => name)).toEqual(events.map(({ type }) => type))
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
      const kinds = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
      expect(kinds).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ])
      const deltas = events.filter(({ type }) => type === 'response.output_text.delta')
      expect(deltas.map(({ delta }) => delta).join('')).toBe(TEXT)
      expect(answers().OpenaiResponse.parse(events.at(-1)?.response)).toMatchObject({ status: 'completed' })
    }
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('error: payment_rejected by /settle is the last event of the stream', async () => {
    const { post, sign, time, facilitator } = await setUp()
    facilitator.state.settles = async () => ({ kind: 'refused', reason: 'insufficient_funds' })
    const streamed = { ...body, stream: true }
    const events = eventsOf(await time.run((await post(streamed, await sign(streamed))).text()))
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'payment_rejected',
      error: { code: 'payment_rejected', paymentState: 'unused' },
    })
  })

  it.each<[string, object, object]>([
    [
      'a picture',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] },
      { param: 'input' },
    ],
    ['a call of a tool', { input: [{ type: 'function_call', name: 'a' }] }, { param: 'input' }],
    ['tools', { tools: [{ type: 'web_search' }] }, { param: 'tools' }],
    ['a stored response', { previous_response_id: 'resp_1' }, { param: 'previous_response_id' }],
    ['a stored conversation', { conversation: 'conv_1' }, { param: 'conversation' }],
    ['JSON', { text: { format: { type: 'json_object' } } }, { param: expect.stringMatching(/^text/) }],
    ['a run in the background', { background: true }, { param: 'background' }],
    ['a limit below the least', { max_output_tokens: 0 }, { param: 'max_output_tokens' }],
    ['an unset top_p', { model: 'anthropic/claude-4.5-haiku', top_p: 0.5 }, { param: 'top_p' }],
    ['no last word of the user', { input: [{ role: 'assistant', content: 'hi' }] }, { param: 'input' }],
    ['an empty input', { input: ' ' }, { param: 'input' }],
  ])('error: invalid_request for %s, which names the member', async (_, more, expected) => {
    const { post, calls } = await setUp()
    const answer = await post({ ...body, ...more })
    const { error } = z.object({ error: z.looseObject({ param: z.string() }) }).parse(await answer.json())
    expect([answer.status, { ...error, param: error.param.split('.')[0] }]).toMatchObject([
      400,
      { code: 'invalid_request', ...expected },
    ])
    expect(calls()).toMatchObject({ settle: 0, create: 0 })
  })

  it('behavior: turns, parts, instructions and neutral values are mapped', () => {
    const { input } = responseRequest(
      parseBody(responseBody(), {
        ...body,
        instructions: 'Be brief.',
        temperature: 1,
        top_p: 1,
        store: true,
        tools: [],
        background: false,
        previous_response_id: null,
        metadata: { a: 'b' },
        max_output_tokens: 100_000,
        text: { format: { type: 'text' } },
        input: [
          { role: 'user', content: 'hi' },
          { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Yes?' }] },
          { role: 'assistant', content: null },
          { role: 'user', content: [{ type: 'input_text', text: 'Why?' }] },
        ],
      }),
    )
    expect(input).toEqual({
      prompt: 'system: Be brief.\nuser: hi\nassistant: Yes?\nassistant: \nWhy?',
      max_tokens: 2_048,
    })
  })
})
