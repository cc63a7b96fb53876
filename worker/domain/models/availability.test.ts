import { expect, it } from 'vitest'
import { makeTestApp } from '../../../test/helpers/app.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { forRequest } from '../../http/middleware/request-deps.ts'
import { checkModels } from './availability.ts'
import { catalogue, findModel } from './catalogue.ts'

const db = useDatabase()
const FLUX = 'black-forest-labs/flux-schnell'
const BARK = 'suno-ai/bark'
const HOUR_MS = 3_600_000
const body = (id: string) => {
  const model = findModel(id)
  return { task: model?.task, model: id, input: model?.examples[0] }
}

/** One isolate. `check` is the scheduled job of it; every kit has the same database. */
function setUp() {
  const kit = makeTestApp({ database: { ...db.database } })
  const deps = forRequest(kit.deps, kit.log, () => undefined)
  const statusOf = async (id: string) => (await kit.client().post('/api/inference', body(id))).status
  return { ...kit, check: () => checkModels(deps), statusOf }
}

const errorsOf = ({ log }: ReturnType<typeof setUp>) => log.lines.filter(({ level }) => level === 'error')

it('error: model_unavailable for a model that is gone, before payment, in every isolate', async () => {
  const job = setUp()
  job.provider.state.missingModels.add(FLUX)
  await job.check()
  expect(errorsOf(job)).toEqual([{ level: 'error', event: 'model.missing', fields: { model: FLUX } }])
  for (const { client } of [job, setUp()]) {
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
  }
})

it('behavior: another isolate knows within 30 s; a model that is back is sold again', async () => {
  const [job, other] = [setUp(), setUp()]
  expect(await other.statusOf(FLUX)).toBe(402)
  job.provider.state.missingModels.add(FLUX)
  await job.check()
  other.clock.advance(30_001)
  await other.statusOf(FLUX)
  await expect.poll(() => other.statusOf(FLUX)).toBe(503)
  job.provider.state.missingModels.clear()
  job.clock.advance(25 * HOUR_MS)
  await job.check()
  expect(await job.statusOf(FLUX)).toBe(402)
})

it('behavior: each model is checked once a day, and a run with nothing to do makes no call', async () => {
  const { check, clock, provider, deps } = setUp()
  const asked: string[] = []
  const { readModel } = provider
  provider.readModel = (model) => {
    asked.push(model)
    return readModel(model)
  }
  deps.provider = provider
  await check()
  expect(asked).toEqual(catalogue.map(({ providerModel }) => providerModel))
  for (let hour = 0; hour < 23; hour += 1) {
    clock.advance(HOUR_MS)
    await check()
  }
  expect(asked).toHaveLength(catalogue.length)
  clock.advance(2 * HOUR_MS)
  await check()
  expect(asked).toHaveLength(2 * catalogue.length)
})

it('behavior: an idle run of the job asks the database once an hour at most', async () => {
  const { check, deps } = setUp()
  await check()
  deps.database.run = () => Promise.reject(new Error('asked'))
  await check()
})

const mismatch = (offSale: boolean, fault: string) => ({
  level: 'error',
  event: 'model.input_mismatch',
  fields: { model: BARK, offSale, faults: expect.arrayContaining([fault]) },
})

it('error: model_unavailable while the provider refuses what we send', async () => {
  const kit = setUp()
  kit.provider.state.inputSchemas.set(BARK, { properties: { prompt: { type: 'integer' } } })
  await kit.check()
  expect(errorsOf(kit)).toEqual([mismatch(true, '`prompt`: we send string, the provider takes integer')])
  const client = kit.client()
  expect((await client.post('/api/inference', body(BARK))).json).toMatchObject({
    status: 503,
    code: 'model_unavailable',
    paymentState: 'unused',
    detail: expect.stringMatching(/^The provider has changed what this model takes/),
  })
  expect((await client.get('/api/models')).json).toMatchObject({
    models: expect.arrayContaining([expect.objectContaining({ id: BARK, available: false })]),
  })
  kit.provider.state.inputSchemas.clear()
  kit.clock.advance(HOUR_MS)
  await kit.check()
  expect(await kit.statusOf(BARK)).toBe(402)
})

it('behavior: inputs that cannot be compared are an alert, and take no model off sale', async () => {
  const kit = setUp()
  kit.provider.state.inputSchemas.set(BARK, { title: 'Input' })
  await kit.check()
  expect(errorsOf(kit)).toEqual([mismatch(false, 'the provider shows no `Input` schema to compare with')])
  expect(await kit.statusOf(BARK)).toBe(402)
})

it('error: model_unavailable from the day on which its maker retires a model', async () => {
  const kit = setUp()
  const retiring = catalogue.find(({ deprecatedAt = '' }) => deprecatedAt > kit.clock.now().toISOString())
  if (retiring?.deprecatedAt === undefined) throw new Error('no model of the catalogue is about to be retired')
  const { id, deprecatedAt, replacedBy } = retiring
  await kit.check()
  kit.clock.advance(new Date(deprecatedAt).getTime() - kit.clock.now().getTime() - 1)
  expect(await kit.statusOf(id)).toBe(402)
  kit.clock.advance(1)
  expect((await kit.client().post('/api/inference', body(id))).json).toMatchObject({
    code: 'model_unavailable',
    detail: `Its maker has retired this model. Use ${replacedBy}. Nothing was charged.`,
  })
})

it('behavior: a provider that does not answer takes no model off sale, and is asked again', async () => {
  const kit = setUp()
  kit.provider.state.down = true
  await kit.check()
  expect(await kit.statusOf(FLUX)).toBe(402)
  kit.provider.state.down = false
  kit.provider.state.missingModels.add(FLUX)
  await kit.check()
  expect(await kit.statusOf(FLUX)).toBe(503)
})

it('behavior: a provider that has none of the catalogue takes no model off sale', async () => {
  const kit = setUp()
  for (const { id } of catalogue) kit.provider.state.missingModels.add(id)
  await kit.check()
  expect(await kit.statusOf(FLUX)).toBe(402)
})

it('default: a deprecated model names another one of the catalogue', async () => {
  const ids = catalogue.map(({ id }) => id)
  for (const { deprecatedAt, replacedBy } of catalogue) {
    expect(deprecatedAt === undefined).toBe(replacedBy === undefined)
    if (replacedBy === undefined) continue
    expect(ids).toContain(replacedBy)
    expect(findModel(replacedBy)?.deprecatedAt).toBeUndefined()
  }
})
