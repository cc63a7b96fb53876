import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp } from '../../test/helpers/app.ts'
import { makeTestConfig, SEPOLIA, TEST_ORIGIN } from '../../test/helpers/config.ts'
import { useDatabase } from '../../test/helpers/in-process-database.ts'
import { seedInference } from '../../test/helpers/seed.ts'

const db = useDatabase()
const ME = K1.address.toLowerCase()

/** A kit with its own database object, so that tests do not share what an isolate caches. */
const setUp = (overrides: Parameters<typeof makeTestApp>[0] = {}) =>
  makeTestApp({ database: { ...db.database }, ...overrides })

const listSchema = z.object({
  items: z.array(z.looseObject({ id: z.string(), task: z.string(), status: z.string() })),
  nextCursor: z.string().nullable(),
})

describe('GET /api/inferences', () => {
  it('default: the 200 body of each purchase with task, model and times, newest first', async () => {
    const older = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z', status: 'failed' })
    const newer = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T11:00:00.123456Z' })
    await seedInference(db.database, { owner: K2.address.toLowerCase(), createdAt: '2026-11-27T12:00:00Z' })
    const answer = await (await setUp().signedIn()).get('/api/inferences')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      items: [
        {
          id: newer,
          status: 'succeeded',
          output: { type: 'image', urls: [`https://cdn.example/${newer}`] },
          metrics: {
            predictTimeMs: 1234,
            estimatedSeconds: 10,
            estimatedCostUsdc: '0.010000',
            actualCostUsdc: '0.001234',
            paymentAsset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
            paymentAmount: '10000',
            paymentTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
            paymentNetwork: 'eip155:84532',
          },
          task: 'text-to-image',
          model: 'a/model',
          createdAt: '2026-11-27T11:00:00.123Z',
          completedAt: '2026-11-27T11:00:00.123Z',
        },
        expect.objectContaining({
          id: older,
          status: 'failed',
          output: null,
          error: { code: 'inference_failed', detail: 'It failed.' },
        }),
      ],
      nextCursor: null,
    })
  })

  it('behavior: pages neither skip nor repeat, also for equal or nearly equal times', async () => {
    const times = ['10:00:00.000001Z', '10:00:00.000001Z', '10:00:00.000002Z', '10:00:00.000003Z', '10:00:00.000003Z']
    for (const time of times) await seedInference(db.database, { owner: ME, createdAt: `2026-11-27T${time}` })
    const client = await setUp().signedIn()
    const seen: string[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page += 1) {
      expect(page).toBeLessThan(4)
      const path: string = `/api/inferences?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { items, nextCursor } = listSchema.parse((await client.get(path)).json)
      seen.push(...items.map(({ id }) => id))
      cursor = nextCursor
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
  })

  it('behavior: filters by task and status', async () => {
    await seedInference(db.database, { owner: ME, createdAt: new Date(), task: 'text-to-text' })
    await seedInference(db.database, { owner: ME, createdAt: new Date(), task: 'text-to-text', status: 'failed' })
    await seedInference(db.database, { owner: ME, createdAt: new Date(), task: 'text-to-sound' })
    const client = await setUp().signedIn()
    const list = async (query: string) => listSchema.parse((await client.get(`/api/inferences?${query}`)).json).items
    expect(await list('task=text-to-text')).toHaveLength(2)
    expect(await list('task=text-to-text&status=failed')).toMatchObject([{ task: 'text-to-text', status: 'failed' }])
    expect(await list('status=pending')).toEqual([])
  })

  it("behavior: a contract wallet's purchase is shown on its own chain only", async () => {
    const config = makeTestConfig({ networks: [...makeTestConfig().networks, SEPOLIA] })
    await seedInference(db.database, { owner: ME, createdAt: new Date(), signatureRecovered: false })
    const here = await setUp({ config }).signedIn(K1, 84532)
    const there = await setUp({ config }).signedIn(K1, SEPOLIA.chainId)
    expect(listSchema.parse((await here.get('/api/inferences')).json).items).toHaveLength(1)
    expect(listSchema.parse((await there.get('/api/inferences')).json).items).toHaveLength(0)
  })
})

describe('GET /api/inferences, refused', () => {
  it.each([
    'limit=100000',
    'limit=101',
    'limit=0',
    'limit=-1',
    'limit=abc',
    'limit=1e1',
    'limit=1&limit=2',
    'cursor=garbage',
    'cursor=',
    'task=text',
    'status=ok',
    'nothing=1',
    'cursor=%00',
  ])('error: invalid_request for %s', async (query) => {
    const answer = await (await setUp().signedIn()).get(`/api/inferences?${query}`)
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })])
  })

  it('error: unauthenticated', async () => {
    expect((await setUp().client().get('/api/inferences', { Origin: TEST_ORIGIN })).status).toBe(401)
  })
})
