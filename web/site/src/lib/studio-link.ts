import type { Fields } from '../../../shared/shape.ts'
import type { ModelForm } from './json-schema.ts'
import { coerce } from './json-schema.ts'

/**
 * Address of the studio with a model and its inputs filled in, for *Edit and reuse*. They are in the fragment, which a browser sends to no
 * server.
 */
export function studioLink(model: string, input: Fields): string {
  const query = new URLSearchParams({ model })
  for (const [name, value] of Object.entries(input)) {
    if (['string', 'number', 'boolean'].includes(typeof value)) query.set(name, String(value))
  }
  return `/#${query}`
}

/** Reads such a link: the prompt, and the settings that fit the model's form. */
export function readStudioLink(form: ModelForm, query: URLSearchParams): { prompt: string; values: Fields } {
  const values: Fields = {}
  for (const field of form.settings) {
    const text = query.get(field.name)
    const value = text === null ? undefined : coerce(field, text)
    if (value !== undefined) values[field.name] = value
  }
  const prompt = query.get(form.prompt.name) ?? query.get('prompt') ?? ''
  return { prompt, values }
}
