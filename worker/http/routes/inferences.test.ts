import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp, type TestClient } from '../../../test/helpers/app.ts'
import { makeTestConfig, SEPOLIA, TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { type SeedInference, seedInference } from '../../../test/helpers/seed.ts'

const db = useDatabase()
const ME = K1.address.toLowerCase()

/** A kit with its own database object, so that tests do not share what an isolate caches. */
const setUp = (overrides: Parameters<typeof makeTestApp>[0] = {}) =>
  makeTestApp({ database: { ...db.database }, ...overrides })

const seed = (purchase: Partial<SeedInference> = {}) =>
  seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z', ...purchase })

const listSchema = z.object({
  items: z.array(z.looseObject({ id: z.string(), task: z.string(), status: z.string(), prompt: z.string() })),
  nextCursor: z.string().nullable(),
})

/** The ids of each page, from the first to the last. `between` runs before each further page. */
async function pagesOf(client: TestClient, query: string, between = async () => {}) {
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/api/inferences?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`
    const page = listSchema.parse((await client.get(path)).json)
    pages.push(page.items.map(({ id }) => id))
    cursor = page.nextCursor
    await between()
  }
  return pages
}

/** Writes the row of every purchase that has none. */
const writeRows = async () =>
  void (await db.database.run(sql`insert into inferences (id, user_address, task_type, model, input, output_type, status,
      estimated_cost_usdc, payment_chain_id, created_at)
    select inference_id, payer, (request ->> 'task')::task_type, request ->> 'model', request -> 'input', 'image', 'pending',
      0.01, chain_id, created_at from payments on conflict do nothing`))

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
          prompt: 'a red bicycle',
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
    for (const [place, time] of times.entries()) {
      await seed({ createdAt: `2026-11-27T${time}`, withoutRow: place % 2 === 0 })
    }
    const client = await setUp().signedIn()
    const seen = await pagesOf(client, 'limit=2', writeRows)
    expect(seen.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(new Set(seen.flat()).size).toBe(5)
    expect(await pagesOf(client, 'limit=5')).toEqual([seen.flat()])
  })

  it('behavior: filters by task and status', async () => {
    await seed({ task: 'text-to-text' })
    await seed({ task: 'text-to-text', status: 'failed' })
    await seed({ task: 'text-to-sound' })
    const client = await setUp().signedIn()
    const list = async (query: string) => listSchema.parse((await client.get(`/api/inferences?${query}`)).json).items
    expect(await list('task=text-to-text')).toHaveLength(2)
    expect(await list('task=text-to-text&status=failed')).toMatchObject([{ task: 'text-to-text', status: 'failed' }])
    expect(await list('status=pending')).toEqual([])
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
    'q=',
    'q=%20',
    'q=a%00b',
    `q=${'a'.repeat(201)}`,
    'q=a&q=b',
  ])('error: invalid_request for %s', async (query) => {
    const answer = await (await setUp().signedIn()).get(`/api/inferences?${query}`)
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })])
  })

  it('error: unauthenticated', async () => {
    expect((await setUp().client().get('/api/inferences', { Origin: TEST_ORIGIN })).status).toBe(401)
  })
})

describe('GET /api/inferences, a purchase under way', () => {
  it('behavior: a paid purchase without a row is listed as pending, with its inference_id', async () => {
    const older = await seed({ createdAt: '2026-11-27T09:00:00Z' })
    const running = await seed({ createdAt: '2026-11-27T10:00:00Z', withoutRow: true, task: 'text-to-text' })
    const newer = await seed({ createdAt: '2026-11-27T11:00:00Z' })
    const client = await setUp().signedIn()
    const { items } = listSchema.parse((await client.get('/api/inferences')).json)
    expect(items.map(({ id }) => id)).toEqual([newer, running, older])
    const { metrics } = z.object({ metrics: z.object({ paymentTxHash: z.string() }) }).parse(items[1])
    expect(items[1]).toEqual({
      ...items[1],
      id: running,
      status: 'pending',
      output: null,
      task: 'text-to-text',
      model: 'a/model',
      prompt: 'a red bicycle',
      createdAt: '2026-11-27T10:00:00.000Z',
      completedAt: null,
    })
    expect(metrics.paymentTxHash).toMatch(/^0x[0-9a-f]{64}$/)
    await writeRows()
    expect(listSchema.parse((await client.get('/api/inferences')).json).items).toEqual(items)
  })

  it.each([
    ['status=pending', true],
    ['status=succeeded', false],
    ['status=failed', false],
    ['task=text-to-sound', true],
    ['task=text-to-image', false],
    ['q=BICYCLE', true],
    ['q=car', false],
    ['task=text-to-sound&status=pending&q=red', true],
  ])('behavior: %s finds a purchase without a row: %s', async (query, isFound) => {
    const id = await seed({ withoutRow: true, task: 'text-to-sound' })
    const { items } = listSchema.parse((await (await setUp().signedIn()).get(`/api/inferences?${query}`)).json)
    expect(items.map((item) => item.id)).toEqual(isFound ? [id] : [])
  })

  it.each(['claimed', 'settling', 'unknown', 'rejected'])('behavior: not in the list while it is %s', async (state) => {
    await seed({ withoutRow: true })
    await db.database.run(sql`update payments set state = ${state}::payment_state`)
    expect(await pagesOf(await setUp().signedIn(), 'limit=5')).toEqual([[]])
  })

  it.each([true, false])(
    "behavior: a contract wallet's is shown on its chain only; without a row: %s",
    async (withoutRow) => {
      const config = makeTestConfig({ networks: [...makeTestConfig().networks, SEPOLIA] })
      await seed({ withoutRow, signatureRecovered: false })
      const sizes = [K1, K2].flatMap((account) =>
        [84532, SEPOLIA.chainId].map(
          async (chainId) =>
            (await pagesOf(await setUp({ config }).signedIn(account, chainId), 'limit=5')).flat().length,
        ),
      )
      expect(await Promise.all(sizes)).toEqual([1, 0, 0, 0])
    },
  )

  it('behavior: the file has it too', async () => {
    const id = await seed({ withoutRow: true })
    const { text } = await (await setUp().signedIn()).get('/api/inferences?format=csv')
    expect(text).toContain(`${id},2026-11-27T10:00:00.000Z,,pending,text-to-image,a/model,a red bicycle,`)
  })
})

describe('GET /api/inferences, prompts', () => {
  it.each([
    ['a short one whole', { prompt: 'a red bicycle' }, 'a red bicycle'],
    ['a long one cut', { prompt: 'ab'.repeat(300) }, 'ab'.repeat(100)],
    ['characters of two UTF-16 units', { prompt: `a${'🙂'.repeat(300)}` }, `a${'🙂'.repeat(199)}`],
    ['in another input than `prompt`', { text: 'read this' }, 'read this'],
    ['an input without words', { seed: 1 }, ''],
  ])('behavior: prompt has the first 200 characters: %s', async (_case, input, expected) => {
    await seed({ input })
    const { items } = listSchema.parse((await (await setUp().signedIn()).get('/api/inferences')).json)
    expect(items.map(({ prompt }) => prompt)).toEqual([expected])
  })

  it.each([
    ['100%', ['100% wool']],
    ['%', ['100% wool']],
    ['_', ['snake_case']],
    ['back\\slash', ['a back\\slash']],
    ['\\', ['a back\\slash']],
    ['WOOL', ['100% wool']],
    [' wool ', ['100% wool']],
    ["'; drop table inferences --", []],
    ['100x', []],
    ['spoken', ['words spoken aloud']],
    ['ÄHRE', ['eine Ähre']],
    ['🙂', ['a 🙂']],
    ['end of it', [`${'long '.repeat(60)}end of it`]],
  ])('behavior: q=%s finds the text itself in any prompt', async (q, expected) => {
    for (const prompt of [
      '100% wool',
      'snake_case',
      'a back\\slash',
      'eine Ähre',
      'a 🙂',
      `${'long '.repeat(60)}end of it`,
    ])
      await seed({ input: { prompt } })
    await seed({ input: { text: 'words spoken aloud', voice: 'wool' } })
    const { items } = listSchema.parse(
      (await (await setUp().signedIn()).get(`/api/inferences?q=${encodeURIComponent(q)}`)).json,
    )
    expect(items.map(({ prompt }) => prompt)).toEqual(expected.map((prompt) => prompt.slice(0, 200)))
  })

  it('behavior: a search pages as the list does, over both sources', async () => {
    for (let second = 0; second < 10; second += 1) {
      const input = { prompt: second % 2 === 0 ? 'a boat' : 'a car' }
      await seed({ createdAt: `2026-11-27T10:00:0${second}Z`, input, withoutRow: second % 3 === 0 })
    }
    const pages = await pagesOf(await setUp().signedIn(), 'q=boat&limit=2', writeRows)
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(new Set(pages.flat()).size).toBe(5)
  })

  it('behavior: a search reads 2,000 purchases for a page, and continues behind them', async () => {
    const rare = await seed({ createdAt: '2026-11-27T09:00:00Z', input: { prompt: 'a rare bird' }, withoutRow: true })
    await seed({ createdAt: '2026-11-27T08:00:00Z' })
    await seed({ createdAt: '2026-11-27T10:00:00Z' })
    await db.database.batch([
      sql`create temporary table more as select p.*, gen_random_uuid() as new_id, n from payments p, generate_series(1, 2100) n
        where p.created_at = '2026-11-27T10:00:00Z'`,
      sql`update more set id = gen_random_uuid(), inference_id = new_id, nonce = 'n' || n, tx_hash = 't' || n,
        created_at = created_at + n * interval '1 second'`,
      sql`alter table more drop column new_id, drop column n`,
      sql`insert into payments select * from more`,
      sql`drop table more`,
    ])
    await writeRows()
    const pages = await pagesOf(await setUp().signedIn(), 'q=rare')
    expect(pages).toEqual([[], [rare]])
  })
})
