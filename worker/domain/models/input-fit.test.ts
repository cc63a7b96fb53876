import { expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'
import { inputMismatch } from './input-fit.ts'

const OURS = {
  properties: {
    prompt: { type: 'string', maxLength: 1000 },
    steps: { type: 'integer', minimum: 1, maximum: 8, default: 4 },
    strength: { type: 'number', minimum: 0, maximum: 1 },
    format: { type: 'string', enum: ['webp', 'png'], default: 'webp' },
  },
  required: ['prompt'],
}
const THEIRS = {
  prompt: { type: 'string' },
  steps: { type: 'integer', minimum: 1, maximum: 8 },
  strength: { type: 'number', minimum: 0, maximum: 1 },
  format: { allOf: [{ $ref: '#/components/schemas/format' }], default: 'webp' },
}
const CHOICES = { format: { type: 'string', enum: ['webp', 'jpg', 'png'] } }
/** Without the members that are undefined. */
const asJson = (value: object): unknown => JSON.parse(JSON.stringify(value))
const compare = (changed: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  inputMismatch(OURS, { Input: asJson({ properties: { ...THEIRS, ...changed }, ...more }), ...CHOICES })
const FITS = { faults: [], runsFail: false }
const failing = (...faults: string[]) => ({ faults, runsFail: true })

it('default: inputs that take what we send, and more', () => {
  expect(compare({ seed: { type: 'integer' } }, { required: ['prompt', 'steps'] })).toEqual(FITS)
  expect(compare({ steps: { type: 'number' } })).toEqual(FITS)
  const alternatives = [{ type: 'null' }, { type: 'string' }, { type: 'number', maximum: 2 }]
  expect(compare({ strength: { anyOf: alternatives } })).toEqual(FITS)
})

it.each<[string, Record<string, unknown>, string]>([
  ['a name that is gone', { steps: undefined }, '`steps`: the provider has no such input'],
  ['another type', { prompt: { type: 'array' } }, '`prompt`: we send string, the provider takes array'],
  ['whole numbers only', { strength: { type: 'integer' } }, '`strength`: we send number, the provider takes integer'],
  ['a choice that is gone', { format: { enum: ['jpg', 'webp'] } }, '`format`: the provider does not take "png"'],
  [
    'a choice of a free value',
    { prompt: { enum: ['a'] } },
    '`prompt`: we send any value, the provider takes a choice of them',
  ],
  [
    'a lower maximum',
    { steps: { type: 'integer', maximum: 4 } },
    '`steps`: we send up to 8, the provider takes up to 4',
  ],
  [
    'a higher minimum',
    { steps: { type: 'integer', minimum: 2 } },
    '`steps`: we send from 1, the provider takes from 2',
  ],
  [
    'a shorter text',
    { prompt: { type: 'string', maxLength: 9 } },
    '`prompt`: we send up to 1000 characters, the provider takes 9',
  ],
  [
    'a bound behind a reference',
    { strength: { anyOf: [{ type: 'number', maximum: 0.5 }, { type: 'null' }] } },
    '`strength`: we send up to 1, the provider takes up to 0.5',
  ],
])('error: %s', (_case, changed, fault) => {
  expect(compare(changed)).toEqual(failing(fault))
})

it.each([
  ['an input that we never send', ['width'], '`width`: the provider needs it, and we may not send it'],
  ['one that a caller may leave out', ['strength'], '`strength`: the provider needs it, and we may not send it'],
])('error: the provider needs %s', (_case, required, expected) => {
  expect(compare({ width: { type: 'integer' } }, { required })).toEqual(failing(expected))
})

it('behavior: without a schema that can be compared, nothing is known of the runs', () => {
  const unknown = { faults: ['the provider shows no `Input` schema to compare with'], runsFail: false }
  expect(inputMismatch(OURS, {})).toEqual(unknown)
  expect(compare({ steps: { type: ['integer', 'null'] } })).toEqual(unknown)
})

it('default: the inputs of every model take what they send themselves', () => {
  for (const { inputJsonSchema } of catalogue)
    expect(inputMismatch(inputJsonSchema, { Input: inputJsonSchema })).toEqual(FITS)
})
