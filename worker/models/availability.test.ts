import { expect, it } from 'vitest'
import { makeTestApp } from '../../test/helpers/app.ts'
import { forRequest } from '../middleware/request-deps.ts'
import { checkOneModel } from './availability.ts'
import { catalogue } from './catalogue.ts'

const database = { run: async () => [], batch: async () => [] }
const FLUX = 'black-forest-labs/flux-schnell'
const body = (id: string) => {
  const model = catalogue.find((entry) => entry.id === id)
  return { task: model?.task, model: id, input: model?.examples[0] }
}

function setUp() {
  const kit = makeTestApp({ database })
  const deps = forRequest(kit.deps, kit.log, () => undefined)
  const checkAll = async () => {
    for (const _ of catalogue) await checkOneModel(deps)
  }
  return { ...kit, checkAll }
}

it('error: model_unavailable for a model that is gone, before payment; it is shown', async () => {
  const { client, provider, checkAll } = setUp()
  provider.state.missingModels.add(FLUX)
  // The first call of an isolate has the model checked beside it.
  expect((await client().post('/api/inference', body(FLUX))).status).toBe(402)
  expect((await client().post('/api/inference', body(FLUX))).status).toBe(503)
  await checkAll()
  expect((await client().post('/api/inference', body(FLUX))).json).toMatchObject({
    status: 503,
    code: 'model_unavailable',
    paymentState: 'unused',
  })
  expect((await client().get('/api/models')).json).toMatchObject({
    models: expect.arrayContaining([
      expect.objectContaining({ id: FLUX, available: false }),
      expect.objectContaining({ id: 'black-forest-labs/flux-dev', available: true, deprecatedAt: null }),
    ]),
  })
})

it('behavior: a provider that does not answer takes no model off sale', async () => {
  const { client, provider, checkAll } = setUp()
  provider.state.down = true
  await checkAll()
  provider.state.down = false
  expect((await client().post('/api/inference', body(FLUX))).status).toBe(402)
})

it('behavior: a provider that has none of the catalogue takes no model off sale', async () => {
  const { client, provider, checkAll } = setUp()
  for (const { id } of catalogue) provider.state.missingModels.add(id)
  await checkAll()
  expect((await client().post('/api/inference', body(FLUX))).status).toBe(402)
})

it('default: a deprecated model names another one of the catalogue', async () => {
  const ids = catalogue.map(({ id }) => id)
  for (const { deprecatedAt, replacedBy } of catalogue) {
    expect(deprecatedAt === undefined).toBe(replacedBy === undefined)
    if (replacedBy !== undefined) expect(ids).toContain(replacedBy)
  }
})
