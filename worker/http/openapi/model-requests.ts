import { catalogue } from '../../domain/models/catalogue.ts'
import type { Model } from '../../domain/models/model.ts'

type JsonSchema = Record<string, unknown>

/** Name of a model's request among the document's schemas, which take no slash. */
const nameOf = ({ id }: Model): string => id.replaceAll('/', '.')

function requestSchema({ id, task, inputJsonSchema }: Model): JsonSchema {
  const { $schema: _, ...input } = inputJsonSchema
  return {
    type: 'object',
    properties: { task: { const: task }, model: { const: id }, input },
    required: ['task', 'model', 'input'],
    additionalProperties: false,
  }
}

/** The request of each model by name, and `InferenceRequest`, which is any one of them. */
export function modelRequests(): Record<string, JsonSchema> {
  const names = catalogue.map(nameOf)
  const mapping = Object.fromEntries(catalogue.map((model) => [model.id, reference(nameOf(model))]))
  return {
    InferenceRequest: {
      oneOf: names.map((name) => ({ $ref: reference(name) })),
      discriminator: { propertyName: 'model', mapping },
    },
    ...Object.fromEntries(catalogue.map((model) => [nameOf(model), requestSchema(model)])),
  }
}

/** The place of a schema in the document. */
export const reference = (name: string): string => `#/components/schemas/${name}`

/** A whole request to show: the first model's own example. */
export const exampleRequest = (): JsonSchema | undefined => {
  const [model] = catalogue
  return model && { task: model.task, model: model.id, input: model.examples[0] }
}
