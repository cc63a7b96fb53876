import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { borrowTestStack, type TestStack } from '../helpers/stack.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await borrowTestStack()
})
afterAll(() => stack?.stop())

/** OpenAI's client with a wallet that signs in per request and pays, and the transfers that wallet made. */
function openClient(buyer: number) {
  const { account } = stack.buyer(buyer)
  const { network, usdc } = stack.info
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [{ network, asset: usdc, maxAmountPerPayment: '20000' }],
  })
  const payingFetch = wrapFetchWithPayment(wrapFetchWithSIWx(fetch, account), client)
  const openai = new OpenAI({
    baseURL: `${stack.info.origin}/v1`,
    apiKey: 'x402',
    fetch: payingFetch,
    maxRetries: 0,
  })
  const paid = async () => (await stack.transfers()).filter(({ from }) => from === account.address).length
  return { openai, paid }
}

describe("OpenAI's own client with a paying fetch", () => {
  it('default: it lists the models, and pays nothing', async () => {
    const { openai, paid } = openClient(0)
    const models = await openai.models.list()
    expect(models.data.map(({ id }) => id)).toContain('black-forest-labs/flux-schnell')
    expect(await paid()).toBe(0)
  })

  it('default: a picture is one transfer', async () => {
    const { openai, paid } = openClient(1)
    const { data } = await openai.images.generate({
      model: 'black-forest-labs/flux-schnell',
      prompt: 'a red bicycle',
      size: '1792x1024',
    })
    const file = await fetch(data?.[0]?.url ?? '')
    expect([file.status, file.headers.get('Content-Type')]).toEqual([200, 'image/webp'])
    expect(await paid()).toBe(1)
  })

  it('default: a completion is one transfer, streamed or not', async () => {
    const { openai, paid } = openClient(2)
    const request = {
      model: 'meta/meta-llama-3-8b-instruct',
      messages: [{ role: 'user' as const, content: 'Why is the sea blue?' }],
    }
    const whole = await openai.chat.completions.create(request)
    expect(whole.choices[0]?.message.content?.length).toBeGreaterThan(10)
    expect(await paid()).toBe(1)
    let text = ''
    for await (const chunk of await openai.chat.completions.create({ ...request, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? ''
    }
    expect(text.length).toBeGreaterThan(10)
    expect(await paid()).toBe(2)
  })

  it('default: a response is one transfer, streamed or not', async () => {
    const { openai, paid } = openClient(7)
    const request = { model: 'meta/meta-llama-3-8b-instruct', input: 'Why is the sea blue?', instructions: 'Be brief.' }
    const whole = await openai.responses.create(request)
    expect(whole.output_text.length).toBeGreaterThan(10)
    expect(await paid()).toBe(1)
    const stream = openai.responses.stream(request)
    let text = ''
    stream.on('response.output_text.delta', ({ delta }) => {
      text += delta
    })
    const last = await stream.finalResponse()
    expect([last.status, last.output_text]).toEqual(['completed', text])
    expect(text.length).toBeGreaterThan(10)
    expect(await paid()).toBe(2)
  })

  it('default: speech is the bytes of a file, and one transfer', async () => {
    const { openai, paid } = openClient(3)
    const answer = await openai.audio.speech.create({
      model: 'jaaari/kokoro-82m',
      voice: 'alloy',
      input: 'Good morning.',
    })
    expect(answer.headers.get('Content-Type')).toMatch(/^audio\//)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    expect(await paid()).toBe(1)
  })

  it('default: O3 it reads one model, whose slash it sends as %2F', async () => {
    const { openai, paid } = openClient(0)
    const id = 'black-forest-labs/flux-schnell'
    expect(await openai.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'black-forest-labs' })
    await expect(openai.models.retrieve('anthropic/claude-4-sonnet')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
    expect(await paid()).toBe(0)
  })

  it('behavior: O2 a text cut by its limit says so, with the tokens of the provider', async () => {
    const { openai, paid } = openClient(5)
    const { choices, usage } = await openai.chat.completions.create({
      model: 'meta/meta-llama-3-8b-instruct',
      messages: [{ role: 'user', content: 'Why is the sea blue?' }],
      max_completion_tokens: 7,
    })
    expect(choices[0]?.finish_reason).toBe('length')
    expect(usage).toEqual({ prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 })
    expect(choices[0]?.message.content?.trim().split(/\s+/)).toHaveLength(7)
    expect(await paid()).toBe(1)
  })

  it('behavior: O1 what a chat application sends by itself is served by every model', async () => {
    const { openai, paid } = openClient(6)
    const stream = await openai.chat.completions.create({
      model: 'anthropic/claude-4.5-haiku',
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      user: 'someone',
      stream: true,
      stop: ['helper'],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: null },
        { role: 'user', content: 'Why is the sea blue?' },
      ],
    })
    let text = ''
    let finish: string | null = null
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? ''
      finish = choices[0]?.finish_reason ?? finish
    }
    expect([finish, text.endsWith('writing '), text.includes('helper')]).toEqual(['stop', true, false])
    expect(await paid()).toBe(1)
  })

  it.each<[string, object]>([
    ['seed', { seed: 7 }],
    ['top_p', { model: 'anthropic/claude-4.5-haiku', top_p: 0.5 }],
    ['logprobs', { logprobs: true }],
    ['max_tokens', { model: 'anthropic/claude-4.5-sonnet', max_tokens: 5 }],
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
  ])('error: O1 %s that the model cannot keep is a BadRequestError, and costs nothing', async (param, body) => {
    const { openai, paid } = openClient(4)
    const call = openai.chat.completions.create({
      model: 'meta/meta-llama-3-8b-instruct',
      messages: [{ role: 'user', content: 'hi' }],
      ...body,
    })
    await expect(call).rejects.toMatchObject({ status: 400, code: 'invalid_request', param })
    expect(await paid()).toBe(0)
  })

  it('error: what cannot be done is a BadRequestError that names the member, and costs nothing', async () => {
    const { openai, paid } = openClient(4)
    const call = openai.images.generate({ model: 'black-forest-labs/flux-schnell', prompt: 'a', n: 9 })
    await expect(call).rejects.toMatchObject({ status: 400, code: 'invalid_request', param: 'n' })
    expect(await paid()).toBe(0)
  })
})
