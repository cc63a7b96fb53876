import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { type Model, outputTypeOf } from './model.ts'

type Facts = Omit<Model, 'inputSchema' | 'inputJsonSchema' | 'outputType' | 'providerModel' | 'promptField'> & {
  /** 64 hex digits, for a model that the provider does not keep at a stable schema itself. */
  version?: string
  promptField?: string
  input: () => z.ZodType<Record<string, unknown>>
}

/** A catalogue entry whose schemas are built at first use: an isolate that starts has no time for twenty of them. */
export function defineModel({ input, version, promptField, ...facts }: Facts): Model {
  const inputSchema = once(input)
  const inputJsonSchema = once(() => toOrderedJsonSchema(inputSchema()))
  return {
    ...facts,
    providerModel: version === undefined ? facts.id : `${facts.id}:${version}`,
    outputType: outputTypeOf(facts.task),
    promptField: promptField ?? 'prompt',
    get inputSchema() {
      return inputSchema()
    },
    get inputJsonSchema() {
      return inputJsonSchema()
    },
  }
}

/** JSON Schema of what a caller sends (fields with a default are not required), with `x-order` for forms. */
function toOrderedJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const json = z.toJSONSchema(schema, { io: 'input' })
  for (const [order, field] of Object.values(json.properties ?? {}).entries()) {
    if (typeof field === 'object') field['x-order'] = order
  }
  return json
}
