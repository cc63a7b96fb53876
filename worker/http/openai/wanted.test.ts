import { describe, expect, it } from 'vitest'
import { catalogue } from '../../domain/models/catalogue.ts'
import { AppError } from '../../errors.ts'
import { chatBody, imageBody, speechBody } from '../openapi/openai-requests.ts'
import { parseBody } from './body.ts'
import { chatRequest, chatStops } from './chat.ts'
import { imageRequest, speechRequest } from './media.ts'

const FLUX = 'black-forest-labs/flux-schnell'
const LLAMA = 'meta/meta-llama-3-8b-instruct'
const GPT = 'openai/gpt-4o-mini'
const HAIKU = 'anthropic/claude-4.5-haiku'
const SONNET = 'anthropic/claude-4.5-sonnet'
const KOKORO = 'jaaari/kokoro-82m'
const MINIMAX = 'minimax/speech-02-turbo'
const MUSIC = 'meta/musicgen'
const STABLE_AUDIO = 'stability-ai/stable-audio-2.5'

/** The inputs beside the text, or the member that is refused. */
function outcomeOf(map: () => { input: Record<string, unknown> }): unknown {
  try {
    const { prompt: _, text: __, ...input } = map().input
    return input
  } catch (error) {
    if (error instanceof AppError) return error.details.errors?.[0]?.path
    throw error
  }
}
const chat = (body: object) =>
  outcomeOf(() =>
    chatRequest(parseBody(chatBody(), { model: GPT, messages: [{ role: 'user', content: 'hi' }], ...body })),
  )
const image = (body: object) =>
  outcomeOf(() => imageRequest(parseBody(imageBody(), { model: FLUX, prompt: 'a', ...body })))
const speech = (body: object) =>
  outcomeOf(() => speechRequest(parseBody(speechBody(), { model: KOKORO, input: 'hi', ...body })))

describe('options about text', () => {
  it.each<[string, object, object]>([
    ['top_p', { top_p: 0.5 }, { top_p: 0.5 }],
    ['penalties', { frequency_penalty: 1, presence_penalty: -2 }, { frequency_penalty: 1, presence_penalty: -2 }],
    ['penalties of a Llama', { model: LLAMA, presence_penalty: 0.5 }, { presence_penalty: 0.5 }],
    ['max_tokens above the bound', { max_tokens: 100_000 }, { max_completion_tokens: 2_048 }],
    ['max_completion_tokens above it', { model: LLAMA, max_completion_tokens: 9_000 }, { max_tokens: 2_048 }],
    ['both limits: the newer one', { max_tokens: 20, max_completion_tokens: 30 }, { max_completion_tokens: 30 }],
  ])('default: O1 %s is mapped', (_, body, input) => {
    expect(chat(body)).toEqual(input)
  })

  it.each<[string, object]>([
    ['temperature 1', { model: HAIKU, temperature: 1 }],
    ['temperature 1 of a model that has one', { model: LLAMA, temperature: 1 }],
    ['top_p 1', { model: HAIKU, top_p: 1 }],
    ['penalties 0', { model: HAIKU, frequency_penalty: 0, presence_penalty: 0 }],
    ['the documented default', { model: LLAMA, temperature: 0.6, top_p: 0.9, max_tokens: 512 }],
    ['logprobs false', { logprobs: false }],
    ['text as the format', { response_format: { type: 'text' } }],
    [
      'null and empty',
      { temperature: null, top_p: null, stop: '', seed: null, tools: [], response_format: {}, logprobs: null, n: null },
    ],
    [
      'what a chat application sends by itself',
      {
        model: HAIKU,
        temperature: 1,
        top_p: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        user: 'someone',
        stream: true,
      },
    ],
  ])('behavior: O1 %s is as left out', (_, body) => {
    expect(chat(body)).toEqual({})
  })

  it.each<[string, object, string]>([
    ['top_p', { model: HAIKU, top_p: 0.5 }, 'top_p'],
    ['top_p above 1', { top_p: 1.5 }, 'top_p'],
    ['seed', { seed: 7 }, 'seed'],
    ['a penalty', { model: HAIKU, frequency_penalty: 1 }, 'frequency_penalty'],
    ['a penalty out of its range', { presence_penalty: 3 }, 'presence_penalty'],
    ['temperature 0', { model: HAIKU, temperature: 0 }, 'temperature'],
    ['temperature out of its range', { temperature: 2.1 }, 'temperature'],
    ['a negative temperature', { temperature: -1 }, 'temperature'],
    ['max_tokens below the least', { model: SONNET, max_tokens: 100 }, 'max_tokens'],
    ['max_completion_tokens below it', { model: GPT, max_completion_tokens: 15 }, 'max_completion_tokens'],
    ['no token', { model: LLAMA, max_tokens: 0 }, 'max_tokens'],
    ['half a token', { model: LLAMA, max_tokens: 1.5 }, 'max_tokens'],
    ['logprobs', { logprobs: true }, 'logprobs'],
    ['a JSON format', { response_format: { type: 'json_object' } }, 'response_format.type'],
    ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    ['a stop that is no text', { stop: 7 }, 'stop'],
  ])('error: O1 %s is refused by name', (_, body, member) => {
    expect(chat(body)).toBe(member)
  })

  it('behavior: O1 four stops are taken, and empty ones left out', () => {
    const messages = [{ role: 'user', content: 'hi' }]
    const stopsOf = (stop: unknown) => chatStops(parseBody(chatBody(), { model: GPT, messages, stop }))
    expect(stopsOf(['a', '', 'b', '', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd'])
    expect(stopsOf('END')).toEqual(['END'])
    expect([stopsOf(['']), stopsOf(null), stopsOf([])]).toEqual([[], [], []])
  })
})

describe('options about pictures', () => {
  it.each<[string, object, object]>([
    ['a format', { output_format: 'png' }, { output_format: 'png' }],
    ['jpeg, which is jpg', { output_format: 'jpeg' }, { output_format: 'jpg' }],
    ['the default of clients and of the model', { output_format: 'webp' }, {}],
    ['one picture', { n: 1 }, {}],
    ['nothing in particular', { quality: 'auto', background: 'auto', size: 'auto', style: null }, {}],
    ['what is empty', { quality: '', size: '', output_format: '', response_format: '' }, {}],
  ])('default: O1 %s', (_, body, input) => {
    expect(image(body)).toEqual(input)
  })

  it.each<[string, object]>([
    ['output_format', { output_format: 'gif' }],
    ['quality', { quality: 'hd' }],
    ['style', { style: 'vivid' }],
    ['background', { background: 'transparent' }],
    ['response_format', { response_format: 'file' }],
  ])('error: O1 %s that no model has is refused by name', (member, body) => {
    expect(image(body)).toBe(member)
  })
})

describe('options about sound', () => {
  it.each<[string, object, object]>([
    ['mp3 of a model with a choice', { model: MUSIC, response_format: 'mp3' }, { output_format: 'mp3' }],
    ['flac of one that has it', { model: MINIMAX, response_format: 'flac' }, { audio_format: 'flac' }],
    ['mp3, which clients send, of one without a choice', { response_format: 'mp3' }, {}],
    ['the format that the model makes anyway', { response_format: 'wav' }, {}],
    ['the usual speed', { model: MUSIC, speed: 1 }, {}],
    ['an empty format and voice', { response_format: '', voice: '' }, {}],
  ])('default: O1 %s', (_, body, input) => {
    expect(speech(body)).toEqual(input)
  })

  it.each<[string, object, string]>([
    ['pcm', { response_format: 'pcm' }, 'response_format'],
    ['opus', { model: MINIMAX, response_format: 'opus' }, 'response_format'],
    ['a word', { response_format: 'bogus' }, 'response_format'],
    ['wav of a model whose format is not known', { model: STABLE_AUDIO, response_format: 'wav' }, 'response_format'],
    ['a speed out of range', { speed: 5 }, 'speed'],
  ])('error: O1 %s is refused by name', (_, body, member) => {
    expect(speech(body)).toBe(member)
  })
})

describe('messages', () => {
  const prompt = (messages: unknown[], model = LLAMA) =>
    chatRequest(parseBody(chatBody(), { model, messages })).input['prompt']
  const user = (content: unknown) => ({ role: 'user', content })

  it.each<[string, object]>([
    ['null', { content: null }],
    ['none', {}],
    ['a refusal', { content: [{ type: 'refusal', refusal: 'No.' }], refusal: null }],
    ['empty', { content: '' }],
  ])('behavior: O4 an assistant turn whose content is %s is an empty turn', (_, turn) => {
    expect(prompt([user('hi'), { role: 'assistant', ...turn }, user('why?')])).toBe('user: hi\nassistant: \nwhy?')
  })

  it('error: O4 a user turn without content is still refused', () => {
    expect(() => prompt([user(null)])).toThrow(AppError)
  })

  it('behavior: O8 a long conversation fits up to the context of its model', () => {
    const turns = (length: number) => [user('a'.repeat(length)), { role: 'assistant', content: 'ok' }, user('why?')]
    const takes = (id: string, length: number): boolean => {
      const model = catalogue.find((one) => one.id === id)
      return model?.inputSchema.safeParse({ prompt: prompt(turns(length), id) }).success ?? false
    }
    expect([takes(LLAMA, 17_000), takes(LLAMA, 19_000), takes(HAIKU, 60_000), takes(GPT, 60_000)]).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it('error: G8 21,000 empty messages are refused in a few milliseconds', () => {
    const times = Array.from({ length: 5 }, () => {
      const messages = Array.from({ length: 21_000 }, () => ({}))
      const before = performance.now()
      expect(() => parseBody(chatBody(), { model: LLAMA, messages })).toThrow('at most 500')
      return performance.now() - before
    })
    expect(Math.min(...times)).toBeLessThan(20)
  })

  it.each<[string, object, string]>([
    ['messages', { messages: Array.from({ length: 501 }, () => user('a')) }, 'messages'],
    ['parts of a message', { messages: [user(Array.from({ length: 501 }, () => ({})))] }, 'messages.0.content'],
    ['stops', { stop: Array.from({ length: 21_000 }, () => 0) }, 'stop'],
  ])('error: G8 more than 500 %s are refused', (_, body, member) => {
    expect(chat(body)).toBe(member)
  })
})
