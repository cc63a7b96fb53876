import { type Fields, isFields, maybeNum, maybeStr } from '../../../shared/shape.ts'
import { serviceMessages } from '../messages/active.ts'

interface Common {
  name: string
  title: string
  help: string
  required: boolean
}

/** One input of a model, as a form control. */
export type Field =
  | (Common & { kind: 'text'; maxLength: number; initial: string })
  | (Common & { kind: 'number'; min: number | null; max: number | null; step: number | 'any'; initial: number | null })
  | (Common & { kind: 'choice'; values: string[]; initial: string })
  | (Common & { kind: 'toggle'; initial: boolean })
  | (Common & { kind: 'seed'; max: number })

type TextField = Field & { kind: 'text' }

export interface ModelForm {
  /** The input for the prompt. */
  prompt: TextField
  /** The others, in the order to show. */
  settings: Field[]
}

/** The most characters of a text whose model states no limit. */
const MOST_CHARACTERS = 10_000

const FALLBACK_PROMPT: ModelForm['prompt'] = {
  kind: 'text',
  name: 'prompt',
  title: 'Prompt',
  help: '',
  required: true,
  maxLength: MOST_CHARACTERS,
  initial: '',
}

/** Reads a model's JSON Schema. Inputs without a control are left out, so the server's default applies. */
export function readForm(schema: Fields): ModelForm {
  const properties = isFields(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const ordered = Object.entries(properties)
    .filter((entry): entry is [string, Fields] => isFields(entry[1]))
    .sort(([, a], [, b]) => (maybeNum(a, 'x-order') ?? 99) - (maybeNum(b, 'x-order') ?? 99))
    .map(([name, from]) => readField(name, from, required.includes(name)))
    .filter((field) => field !== null)
  const prompt = ordered.find((field) => field.kind === 'text' && field.required)
  return {
    prompt: prompt?.kind === 'text' ? prompt : FALLBACK_PROMPT,
    settings: ordered.filter((field) => field !== prompt),
  }
}

function readField(name: string, from: Fields, required: boolean): Field | null {
  const textOf = (member: string): string | null => {
    const english = maybeStr(from, member)
    return english === null ? null : (serviceMessages.inputs[english] ?? english)
  }
  const common = { name, required, title: textOf('title') ?? name, help: textOf('description') ?? '' }
  const values = from['enum']
  if (Array.isArray(values)) {
    const choices = values.filter((value): value is string => typeof value === 'string')
    const initial = maybeStr(from, 'default') ?? choices[0]
    return initial === undefined ? null : { ...common, kind: 'choice', values: choices, initial }
  }
  switch (from['type']) {
    case 'string':
      return {
        ...common,
        kind: 'text',
        maxLength: maybeNum(from, 'maxLength') ?? MOST_CHARACTERS,
        initial: maybeStr(from, 'default') ?? '',
      }
    case 'boolean':
      return { ...common, kind: 'toggle', initial: from['default'] === true }
    case 'integer':
    case 'number':
      return readNumber(common, from)
    default:
      return null
  }
}

function readNumber(common: Common, from: Fields): Field {
  const [min, max] = [maybeNum(from, 'minimum'), maybeNum(from, 'maximum')]
  if (common.name === 'seed') return { ...common, kind: 'seed', max: max ?? 2_147_483_647 }
  const initial = maybeNum(from, 'default')
  const whole = from['type'] === 'integer'
  const step = whole ? 1 : min !== null && max !== null && max - min <= 2 ? 0.05 : 0.1
  return { ...common, kind: 'number', min, max, step, initial }
}

/** A seed that a person can read and type: below a million. */
export function randomSeed(max: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random % Math.min(max, 1_000_000)
}

/** A form value in the field's type, or undefined if it does not fit, for example from an old link. */
export function coerce(field: Field, value: unknown): string | number | boolean | undefined {
  const text = String(value)
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'choice':
      return field.values.includes(text) ? text : undefined
    case 'toggle':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'seed': {
      const seed = Number(text)
      return text !== '' && Number.isSafeInteger(seed) && seed >= 0 && seed <= field.max ? seed : undefined
    }
    case 'number': {
      const amount = Number(text)
      const fits =
        text !== '' && Number.isFinite(amount) && amount >= (field.min ?? amount) && amount <= (field.max ?? amount)
      return fits ? amount : undefined
    }
  }
}

/** The request's `input`: the prompt, and only those settings that differ from the model's defaults. */
export function buildInput(form: ModelForm, prompt: string, values: Fields): Fields {
  const input: Fields = { [form.prompt.name]: prompt.trim() }
  for (const field of form.settings) {
    const value = values[field.name] === undefined ? undefined : coerce(field, values[field.name])
    const initial = field.kind === 'seed' ? undefined : field.initial
    if (value !== undefined && value !== initial && value !== '') input[field.name] = value
  }
  return input
}

/** From which part of its limit on the length of a text is shown. */
const NEAR = 0.9

/**
 * How many characters a text has, if they are near the limit or above it, else 0. It counts as the service does: without the spaces
 * around the text, and an emoji of two UTF-16 units once.
 */
export function countNear(text: string, most: number): number {
  const trimmed = text.trim()
  // There are never more characters than units.
  const count = trimmed.length < most * NEAR ? 0 : Array.from(trimmed).length
  return count < most * NEAR ? 0 : count
}

/** The first text above its limit, or undefined. */
export function tooLongIn({ prompt, settings }: ModelForm, written: string, values: Fields): TextField | undefined {
  const texts = [prompt, ...settings].filter((field) => field.kind === 'text')
  const textOf = (field: TextField): string => (field === prompt ? written : String(values[field.name] ?? ''))
  return texts.find((field) => countNear(textOf(field), field.maxLength) > field.maxLength)
}
