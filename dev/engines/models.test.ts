import { expect, it } from 'vitest'
import { catalogue } from '../../worker/domain/models/catalogue.ts'
import { inputMismatch } from '../../worker/domain/models/input-fit.ts'
import { inputSchemasOf } from '../provider/input-schemas.ts'
import { resolveVersion, servedModels } from './models.ts'

const ENGINES = { image: ['picture'], text: ['text'], audio: ['speech', 'music'] }

it('behavior: every model of the catalogue, and no other, has an engine of its kind', () => {
  expect([...servedModels.keys()].sort()).toEqual(catalogue.map(({ id }) => id).sort())
  for (const model of catalogue) {
    const found = resolveVersion(model.providerModel)
    expect(found?.id).toBe(model.id)
    expect(found?.model.promptField).toBe(model.promptField)
    expect(ENGINES[model.outputType]).toContain(found?.model.engine)
  }
})

it('error: a pinned model by name alone, an official one with a version, an unknown hash', () => {
  for (const version of [
    'suno-ai/bark',
    `black-forest-labs/flux-schnell:${'a'.repeat(64)}`,
    'b'.repeat(64),
    'constructor',
  ]) {
    expect(resolveVersion(version)).toBeUndefined()
  }
})

it.each(catalogue.map(({ id, inputJsonSchema }) => ({ id, inputJsonSchema })))(
  'behavior: the inputs of $id take what we send',
  ({ id, inputJsonSchema }) => {
    expect(inputMismatch(inputJsonSchema, inputSchemasOf(id))).toEqual({ faults: [], runsFail: false })
  },
)
