import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import { chatBody, imageBody, speechBody } from '../openapi/openai-requests.ts'
import { parseBody } from './body.ts'
import { chatRequest } from './chat.ts'
import { imageRequest, speechRequest } from './media.ts'

const FLUX = 'black-forest-labs/flux-schnell'
const FLUX_PRO = 'black-forest-labs/flux-1.1-pro'
const LLAMA = 'meta/meta-llama-3-8b-instruct'
const GPT = 'openai/gpt-4o-mini'
const HAIKU = 'anthropic/claude-4.5-haiku'
const KOKORO = 'jaaari/kokoro-82m'
const MUSIC = 'meta/musicgen'

const user = (content: unknown) => ({ role: 'user', content })

/** The mapped request, or the member at fault. */
function outcomeOf(map: () => unknown): unknown {
  try {
    return map()
  } catch (error) {
    if (error instanceof AppError) return error.details.errors?.[0]?.path
    throw error
  }
}

describe('pictures', () => {
  const map = (body: object) =>
    outcomeOf(() => imageRequest(parseBody(imageBody(), { model: FLUX, prompt: 'a', ...body })))

  it.each<[string, object, object]>([
    ['the prompt alone', {}, { prompt: 'a' }],
    ['unknown members and null', { user: 'me', seed: 7, n: null, size: null, output_format: null }, { prompt: 'a' }],
    ['a count', { n: 3 }, { prompt: 'a', num_outputs: 3 }],
    ['one of a model without a count', { model: FLUX_PRO, n: 1 }, { prompt: 'a' }],
    ['a square', { size: '1024x1024' }, { prompt: 'a', aspect_ratio: '1:1' }],
    ['the nearest shape', { size: '1792x1024' }, { prompt: 'a', aspect_ratio: '16:9' }],
    ['an upright shape', { size: '1024x1536' }, { prompt: 'a', aspect_ratio: '2:3' }],
    ['any size', { size: 'auto' }, { prompt: 'a' }],
  ])('default: %s', (_, body, input) => {
    expect(map(body)).toMatchObject({ task: 'text-to-image', input })
    expect(Object.keys(Reflect.get(Object(map(body)), 'input'))).toEqual(Object.keys(input))
  })

  it.each<[string, object, string]>([
    ['two of a model without a count', { model: FLUX_PRO, n: 2 }, 'n'],
    ['an invalid size', { size: 'large' }, 'size'],
    ['no height', { size: '1024x0' }, 'size'],
    ['a shape that no model makes', { size: '4000x100' }, 'size'],
  ])('error: %s', (_, body, param) => {
    expect(map(body)).toBe(param)
  })

  it('behavior: an unknown model keeps the bare prompt, for the purchase to refuse', () => {
    expect(map({ model: 'no/such', n: 2 })).toEqual({ task: 'text-to-image', model: 'no/such', input: { prompt: 'a' } })
  })
})

describe('text', () => {
  const map = (body: object) =>
    outcomeOf(() => chatRequest(parseBody(chatBody(), { model: LLAMA, messages: [user('hi')], ...body })))
  const talk = [
    { role: 'system', content: 'Be brief.' },
    user('hi'),
    { role: 'assistant', content: 'Hello.' },
    user('why?'),
  ]

  it.each<[string, object, object]>([
    ['one message', {}, { prompt: 'hi' }],
    [
      'text parts',
      {
        messages: [
          user([
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ]),
        ],
      },
      { prompt: 'a\nb' },
    ],
    ['earlier turns', { messages: talk.slice(1) }, { prompt: 'user: hi\nassistant: Hello.\nwhy?' }],
    [
      'system text for a model without that input',
      { messages: talk },
      { prompt: 'system: Be brief.\nuser: hi\nassistant: Hello.\nwhy?' },
    ],
    [
      'system text as the input of the model',
      { model: GPT, messages: [...talk.slice(0, 1), user('why?')] },
      { prompt: 'why?', system_prompt: 'Be brief.' },
    ],
    ['a length', { max_tokens: 100 }, { prompt: 'hi', max_tokens: 100 }],
    ['a length under another name', { model: GPT, max_tokens: 100 }, { prompt: 'hi', max_completion_tokens: 100 }],
    ['a temperature', { temperature: 0.2 }, { prompt: 'hi', temperature: 0.2 }],
    ['the usual temperature', { model: HAIKU, temperature: 1 }, { prompt: 'hi' }],
    ['unknown members', { user: 'me', top_k: 7, tools: [], n: 1 }, { prompt: 'hi' }],
  ])('default: %s', (_, body, input) => {
    expect(map(body)).toEqual({ task: 'text-to-text', model: expect.any(String), input })
  })

  it.each<[string, object, string]>([
    ['a temperature that the model does not take', { model: HAIKU, temperature: 0.2 }, 'temperature'],
    ['no message of the user at the end', { messages: talk.slice(0, 3) }, 'messages'],
  ])('error: %s', (_, body, param) => {
    expect(map(body)).toBe(param)
  })

  it.each<[string, object]>([
    ['tools', { tools: [{ type: 'function' }] }],
    ['two choices', { n: 2 }],
    ['a picture', { messages: [user([{ type: 'image_url', image_url: { url: 'https://x.example/a.png' } }])] }],
    ['the answer of a tool', { messages: [{ role: 'tool', content: '1' }] }],
    ['a schema of the answer', { response_format: { type: 'json_object' } }],
  ])('error: %s is refused', (_, body) => {
    expect(chatBody().safeParse({ model: LLAMA, messages: [user('hi')], ...body }).success).toBe(false)
  })
})

describe('speech', () => {
  const map = (body: object) =>
    outcomeOf(() => speechRequest(parseBody(speechBody(), { model: KOKORO, input: 'hi', ...body })))

  it.each<[string, object, object]>([
    ['the text', {}, { text: 'hi' }],
    ['the text of a model that calls it prompt', { model: 'suno-ai/bark' }, { prompt: 'hi' }],
    ['a voice of the model', { voice: 'bf_emma' }, { text: 'hi', voice: 'bf_emma' }],
    [
      'a voice of the model under another name',
      { model: 'suno-ai/bark', voice: 'announcer' },
      { prompt: 'hi', history_prompt: 'announcer' },
    ],
    ['a voice that every client of OpenAI sends', { model: MUSIC, voice: 'alloy' }, { prompt: 'hi' }],
    ['a speed', { speed: 1.5 }, { text: 'hi', speed: 1.5 }],
  ])('default: %s', (_, body, input) => {
    expect(map(body)).toEqual({ task: 'text-to-sound', model: expect.any(String), input })
  })

  it.each<[string, object, string]>([
    ['a voice of a model without voices', { model: MUSIC, voice: 'bf_emma' }, 'voice'],
    ['a speed of a model without speeds', { model: MUSIC, speed: 2 }, 'speed'],
  ])('error: %s', (_, body, param) => {
    expect(map(body)).toBe(param)
  })
})
