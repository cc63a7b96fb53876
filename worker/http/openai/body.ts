import type * as z from 'zod'
import { invalidRequest } from '../middleware/body.ts'
import { MAX_ENTRIES } from '../openapi/openai-requests.ts'
import { invalidMember } from './model-inputs.ts'

/** Members without which there is no call: where these are empty, their own schemas say so. */
const NEEDED = ['model', 'prompt', 'messages', 'input']

/** The body of a call, without the members that this form does not know. Throws `invalid_request`. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  assertShortLists(body)
  const parsed = schema.safeParse(withoutEmpty(body))
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error)
}

/** Looked at before the schemas, which take far longer for each entry. The depth of a body is bounded where it is read. */
function assertShortLists(value: unknown, path = ''): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value) && value.length > MAX_ENTRIES)
    throw invalidMember(path, `A list has at most ${MAX_ENTRIES} entries.`)
  for (const [key, item] of Object.entries(value)) assertShortLists(item, path === '' ? key : `${path}.${key}`)
}

/** Null and empty members ask for nothing. */
function withoutEmpty(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => NEEDED.includes(key) || !isEmpty(value)))
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
