import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp } from '../../../test/helpers/app.ts'
import { makeTestConfig } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'

const db = useDatabase()

const OWNER = K1.address.toLowerCase()
const READS = [
  '/api/inferences',
  '/api/account',
  '/api/stats',
  '/api/models',
  '/api/admin/payments',
  '/api/admin/inferences',
]

async function signedIn(address = K1.address) {
  const config = makeTestConfig({ admins: [{ address: OWNER, chainId: null }] })
  const kit = makeTestApp({ config, database: db.database })
  const client = await kit.signedIn({ address })
  await client.get('/api/auth/nonce')
  return { ...kit, client }
}

/** Every member of a JSON value with its name, however deep. */
function members(value: unknown, name = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item) => members(item, name))
  const object = z.record(z.string(), z.unknown()).safeParse(value)
  return object.success ? Object.entries(object.data).flatMap(([key, item]) => members(item, key)) : [[name, value]]
}

const HUGE = '9007199254740993'

describe('money', () => {
  it('behavior: an amount beyond a float’s range has the same digits in every answer', async () => {
    const { client } = await signedIn()
    const id = await seedInference(db.database, { owner: OWNER, createdAt: '2026-11-27T11:00:00Z', amount: HUGE })
    await db.database.run(
      sql`insert into asset_sum_parts (chain_id, asset, part, amount) values (84532, '0x036cbd53842c5426634e7929541ec2318f3dcf7e', 0, ${HUGE}::numeric)`,
    )
    const usdc = '9007199254.740993'
    expect((await client.get(`/api/inference/${id}`)).json).toMatchObject({ metrics: { paymentAmount: HUGE } })
    expect((await client.get('/api/inferences')).json).toMatchObject({ items: [{ metrics: { paymentAmount: HUGE } }] })
    expect((await client.get('/api/account')).json).toMatchObject({ spent: { usdc } })
    expect((await client.get('/api/stats')).json).toMatchObject({ usdcSettled: usdc })
    expect((await client.get('/api/admin/payments')).json).toMatchObject({ items: [{ amount: HUGE }] })
  })

  it('behavior: ten runs of 0.1 add up to 1.000000, not to 0.9999999', async () => {
    const { client } = await signedIn()
    for (let minute = 10; minute < 20; minute += 1) {
      await seedInference(db.database, { owner: OWNER, createdAt: `2026-11-27T11:${minute}:00Z`, amount: '100000' })
    }
    expect((await client.get('/api/account')).json).toMatchObject({ spent: { usdc: '1.000000' } })
  })

  it('behavior: no amount, cost or rate is a JSON number anywhere', async () => {
    const { client } = await signedIn()
    const id = await seedInference(db.database, { owner: OWNER, createdAt: '2026-11-27T11:00:00Z' })
    let seen = 0
    for (const path of [...READS, `/api/inference/${id}`]) {
      const answer = await client.get(path)
      expect(answer.status, path).toBe(200)
      for (const [name, value] of members(answer.json)) {
        if (!/usdc|aic|amount|cost|rate$|pct/i.test(name) || name === 'successRate') continue
        expect(['string', 'object'], `${path} ${name}`).toContain(typeof value)
        seen += 1
      }
    }
    expect(seen).toBeGreaterThan(30)
  })
})

describe('times', () => {
  afterEach(async () => {
    await db.database.run(sql`set timezone to 'UTC'`)
  })

  it('behavior: clocks of server and database in other zones shift no time, and each says Z', async () => {
    await db.database.run(sql`set timezone to 'America/New_York'`)
    vi.stubEnv('TZ', 'Asia/Tokyo')
    expect(new Date('2026-11-27T11:00:00Z').getHours()).toBe(20)
    const { client } = await signedIn()
    const id = await seedInference(db.database, { owner: OWNER, createdAt: '2026-11-27T11:00:00.123Z' })
    const times = { createdAt: '2026-11-27T11:00:00.123Z', completedAt: '2026-11-27T11:00:00.123Z' }
    expect((await client.get(`/api/inference/${id}`)).json).toMatchObject(times)
    expect((await client.get('/api/inferences')).json).toMatchObject({ items: [times] })
    expect((await client.get('/api/stats')).json).toMatchObject({ asOf: '2026-11-27T12:00:00.000Z' })
    for (const path of READS) {
      for (const [name, value] of members((await client.get(path)).json)) {
        if (/(At|asOf|timestamp)$/.test(name) && value !== null) expect(String(value), path).toMatch(/T[\d:.]+Z$/)
      }
    }
    expect((await client.signIn(K2)).status).toBe(200)
  })
})

describe('private answers', () => {
  it('behavior: no answer may be cached, for any caller and any outcome', async () => {
    const { client } = await signedIn()
    const id = await seedInference(db.database, { owner: OWNER, createdAt: '2026-11-27T11:00:00Z' })
    const order = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word' } }
    const answers = [
      await client.get('/api/auth/nonce'),
      await client.get('/api/auth/session'),
      await client.get('/api/account'),
      await client.get('/api/inferences'),
      await client.get(`/api/inference/${id}`),
      await client.get('/api/models'),
      await client.post('/api/inference', order),
      await client.post('/api/inference', order, { 'Payment-Signature': 'e30=' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 402, 400])
    for (const { headers } of answers) expect(headers.get('Cache-Control')).toBe('no-store')
  })

  it('error: inference_not_found for another’s purchase, as for one that never was', async () => {
    const { client } = await signedIn(K2.address)
    const id = await seedInference(db.database, { owner: OWNER, createdAt: '2026-11-27T11:00:00Z' })
    const [theirs, none] = [
      await client.get(`/api/inference/${id}`),
      await client.get(`/api/inference/${crypto.randomUUID()}`),
    ]
    expect([theirs.status, none.status]).toEqual([404, 404])
    const without = (answer: typeof theirs) => ({
      ...z.record(z.string(), z.unknown()).parse(answer.json),
      requestId: '',
    })
    expect(without(theirs)).toEqual(without(none))
    expect((await client.get('/api/inferences')).json).toEqual({ items: [], nextCursor: null })
  })
})
