import { describe, expect, it } from 'vitest'
import { catalogue, findModel } from './catalogue.ts'
import type { Model, Task } from './model.ts'

const TASKS: Task[] = ['text-to-image', 'text-to-text', 'text-to-sound']

function model(id: string): Model {
  const found = findModel(id)
  if (!found) throw new Error(`no model ${id}`)
  return found
}

function refusal(id: string, input: unknown): string[] {
  const result = model(id).inputSchema.safeParse(input)
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
}

describe('catalogue', () => {
  it('default: ids are unique, and each task has at least 4 models of which the first is free', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
    for (const task of TASKS) {
      const models = catalogue.filter((entry) => entry.task === task)
      expect(models.length).toBeGreaterThanOrEqual(4)
      expect(models[0]?.tier).toBe('free')
    }
    expect(catalogue[0]?.id).toBe('black-forest-labs/flux-schnell')
  })

  it('default: ids and pinned versions have the form the provider takes', () => {
    for (const { id, providerModel } of catalogue) {
      expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9.-]+$/)
      expect(providerModel.slice(id.length)).toMatch(/^(:[0-9a-f]{64})?$/)
    }
  })

  it.each(catalogue)('default: every example of $id fits, and holds words of the person', (entry) => {
    expect(entry.examples.length).toBeGreaterThan(0)
    for (const example of entry.examples) {
      expect(entry.inputSchema.parse(example)).toMatchObject(example)
      expect(example).toHaveProperty(entry.promptField)
    }
  })

  it.each(catalogue)('default: the JSON Schema of $id requires the prompt alone and shows an order', (entry) => {
    const { type, required, additionalProperties, properties } = entry.inputJsonSchema
    expect({ type, required, additionalProperties }).toEqual({
      type: 'object',
      required: [entry.promptField],
      additionalProperties: false,
    })
    const fields = Object.values(properties ?? {})
    expect(fields.map((field) => field['x-order'])).toEqual(fields.map((_, order) => order))
    for (const field of fields)
      expect(field).toMatchObject({ title: expect.any(String), description: expect.any(String) })
    expect(entry.inputJsonSchema).toBe(entry.inputJsonSchema)
  })

  it('default: defaults are filled in and the prompt is trimmed', () => {
    expect(model('black-forest-labs/flux-schnell').inputSchema.parse({ prompt: '  a red bicycle\n' })).toEqual({
      prompt: 'a red bicycle',
      aspect_ratio: '1:1',
      megapixels: '1',
      num_outputs: 1,
      num_inference_steps: 4,
      output_format: 'webp',
      output_quality: 80,
      go_fast: true,
    })
  })

  it.each(['__proto__', 'constructor', 'toString', '', 'flux-schnell'])('behavior: no model is called %j', (id) => {
    expect(findModel(id)).toBeUndefined()
  })
})

describe('input schemas', () => {
  const flux = 'black-forest-labs/flux-schnell'

  it.each([
    ['a NUL', 'a\0b', 'NUL'],
    ['a lone surrogate', 'a\ud800b', 'lone surrogate'],
    ['nothing', '', 'Too small'],
    ['spaces only', ' \u00a0\n', 'Too small'],
    ['zero-width characters only', '\u200b\u200d\u2060', 'visible'],
    ['a text that turns round and says nothing', '\u202e\u202c', 'visible'],
    ['tag characters only', '\u{e0061}\u{e0062}', 'visible'],
    ['Hangul fillers and blank braille', '\u3164\u2800', 'visible'],
    ['10,001 characters', 'x'.repeat(10_001), 'Too big'],
    ['10,001 characters of two UTF-16 units', '🚲'.repeat(10_001), 'Too big'],
    ['a number', 7, 'expected string'],
  ])('error: a prompt of %s is refused', (_, prompt, reason) => {
    const problems = refusal(flux, { prompt })
    expect(problems.join()).toMatch(/^prompt: /)
    expect(problems.join()).toContain(reason)
  })

  it('behavior: 10,000 characters, emoji, joined emoji and right-to-left words are taken', () => {
    for (const prompt of ['x'.repeat(10_000), '🚲'.repeat(10_000), '🚲', '👩‍🚀 on the moon', 'دراجة حمراء']) {
      expect(refusal(flux, { prompt })).toEqual([])
    }
  })

  it.each([
    [flux, { num_outputs: 5 }, 'num_outputs'],
    [flux, { num_outputs: 1.5 }, 'num_outputs'],
    [flux, { seed: -1 }, 'seed'],
    [flux, { aspect_ratio: '100:1' }, 'aspect_ratio'],
    ['black-forest-labs/flux-dev', { num_inference_steps: 51 }, 'num_inference_steps'],
    ['meta/meta-llama-3-8b-instruct', { max_tokens: 2_049 }, 'max_tokens'],
    ['meta/musicgen', { duration: 31 }, 'duration'],
    ['stability-ai/stable-audio-2.5', { duration: 121 }, 'duration'],
    ['stability-ai/stable-diffusion-3.5-large', { negative_prompt: 'a\0' }, 'negative_prompt'],
    [flux, { num_outputs: '2' }, 'num_outputs'],
  ])('error: %s refuses %j and names the field', (id, extra, field) => {
    expect(refusal(id, { prompt: 'a cat', ...extra }).join()).toMatch(new RegExp(`^${field}: `))
  })

  it('error: unknown, prototype and URL inputs are refused by name', () => {
    for (const extra of ['{"image":"http://169.254.169.254/"}', '{"__proto__":{"a":1}}', '{"constructor":1}']) {
      const input: unknown = JSON.parse(`{"prompt":"a cat",${extra.slice(1)}`)
      expect(refusal(flux, input).join()).toMatch(/Unrecognized key: "(image|__proto__|constructor)"/)
    }
  })
})
