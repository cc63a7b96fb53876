import { describe, expect, it } from 'vitest'
import { buildInput, countNear, readForm, tooLongIn } from './json-schema.ts'
import { readStudioLink, studioLink } from './studio-link.ts'

const SCHEMA = {
  type: 'object',
  required: ['text'],
  properties: {
    speed: { type: 'number', minimum: 0.5, maximum: 2, default: 1, title: 'Speed', 'x-order': 2 },
    text: { type: 'string', minLength: 1, maxLength: 2000, title: 'Text', 'x-order': 0 },
    voice: { type: 'string', enum: ['a', 'b'], default: 'a', 'x-order': 1 },
    seed: { type: 'integer', minimum: 0, maximum: 2147483647, 'x-order': 3 },
    go_fast: { type: 'boolean', default: true, 'x-order': 4 },
    odd: { anyOf: [] },
  },
}

describe('readForm', () => {
  it('default: the required text is the prompt, the others are controls in order', () => {
    const form = readForm(SCHEMA)
    expect(form.prompt).toMatchObject({ name: 'text', maxLength: 2000 })
    expect(form.settings.map(({ name, kind }) => [name, kind])).toEqual([
      ['voice', 'choice'],
      ['speed', 'number'],
      ['seed', 'seed'],
      ['go_fast', 'toggle'],
    ])
  })

  it('behavior: an empty schema still has a prompt', () => {
    expect(readForm({})).toMatchObject({ prompt: { name: 'prompt' }, settings: [] })
  })
})

describe('buildInput', () => {
  it('default: the trimmed prompt, and only values that differ from the defaults', () => {
    const form = readForm(SCHEMA)
    const values = { voice: 'a', speed: '1.5', seed: '7', go_fast: true }
    expect(buildInput(form, '  hello ', values)).toEqual({ text: 'hello', speed: 1.5, seed: 7 })
  })

  it('behavior: values out of bounds or of another type are not sent', () => {
    const values = { voice: 'zzz', speed: '99', seed: '-1', go_fast: 'maybe' }
    expect(buildInput(readForm(SCHEMA), 'hello', values)).toEqual({ text: 'hello' })
  })
})

describe('studio link', () => {
  it('default: a link fills the form with its values', () => {
    const form = readForm(SCHEMA)
    const link = studioLink('a/b', { text: 'a & b?', speed: 1.5, go_fast: false })
    const query = new URLSearchParams(link.slice(link.indexOf('#') + 1))
    expect(query.get('model')).toBe('a/b')
    expect(readStudioLink(form, query)).toEqual({ prompt: 'a & b?', values: { speed: 1.5, go_fast: false } })
  })

  it('behavior: a text above its limit is kept whole, and is named as too long', () => {
    const form = readForm({
      ...SCHEMA,
      properties: { ...SCHEMA.properties, style: { type: 'string', maxLength: 10, title: 'Style' } },
    })
    const text = 'x'.repeat(2_001)
    const link = studioLink('a/b', { text, style: 'a long style' })
    const found = readStudioLink(form, new URLSearchParams(link.slice(link.indexOf('#') + 1)))
    expect(found).toEqual({ prompt: text, values: { style: 'a long style' } })
    expect(buildInput(form, text, found.values)).toEqual({ text, style: 'a long style' })
    expect(tooLongIn(form, text, found.values)).toBe(form.prompt)
    expect(tooLongIn(form, text.slice(1), found.values)).toMatchObject({ name: 'style' })
    expect(tooLongIn(form, text.slice(1), { style: 'short' })).toBeUndefined()
  })
})

describe('countNear', () => {
  it.each([
    ['far below the limit', 'x'.repeat(89), 0],
    ['near the limit', 'x'.repeat(90), 90],
    ['above the limit', 'x'.repeat(101), 101],
    ['spaces around the text', ` ${'x'.repeat(100)}\n`, 100],
    ['an emoji of two units counts once', '😀'.repeat(100), 100],
    ['emoji far below the limit', '😀'.repeat(60), 0],
  ])('behavior: characters are counted as the service counts them: %s', (_, text, count) => {
    expect(countNear(text, 100)).toBe(count)
  })
})
