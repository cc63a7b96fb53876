import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp } from '../../../test/helpers/app.ts'
import { makeTestConfig } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'
import type { Admin } from '../../config/config.ts'

const db = useDatabase()

const OWNER = K2.address.toLowerCase()
const PATHS = ['/api/admin/payments', '/api/admin/inferences', '/api/admin/metrics']
const listSchema = z.object({ items: z.array(z.looseObject({})) })

const PLAIN: Admin = { address: K1.address.toLowerCase(), chainId: null }

async function signedIn(address: `0x${string}`, admins: Admin[] = [PLAIN]) {
  const config = makeTestConfig({ admins })
  return makeTestApp({ config, database: db.database }).signedIn({ address })
}

describe('who may look', () => {
  it.each(PATHS)(
    'error: not_admin at %s for a buyer, and for everyone when there are no administrators',
    async (path) => {
      for (const client of [await signedIn(K2.address), await signedIn(K1.address, [])]) {
        expect((await client.get(path)).json).toMatchObject({ status: 403, code: 'not_admin' })
      }
    },
  )

  it.each(PATHS)('error: unauthenticated at %s for a forged session', async (path) => {
    const client = await signedIn(K1.address)
    const seal = client.cookies.get('__Host-session') ?? ''
    // Not the last letter: two of its bits are not part of the seal.
    client.cookies.set(
      '__Host-session',
      seal.replace(/.(?=.~2$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    )
    expect((await client.get(path)).json).toMatchObject({ status: 401 })
    client.cookies.clear()
    expect((await client.get(path)).json).toMatchObject({ status: 401 })
  })
})

describe('what they see', () => {
  it('default: lists what is owed, with what a refund needs and no text of a buyer', async () => {
    const createdAt = '2026-11-27T11:00:00Z'
    await seedInference(db.database, { owner: OWNER, createdAt, output: { text: 'hushed output' } })
    const owed = await seedInference(db.database, { owner: OWNER, createdAt, status: 'failed' })
    const client = await signedIn(K1.address)
    const payments = await client.get('/api/admin/payments?state=owed')
    expect(listSchema.parse(payments.json).items).toMatchObject([
      { inferenceId: owed, state: 'owed', payer: K2.address, amount: '10000', network: 'eip155:84532' },
    ])
    const inferences = await client.get('/api/admin/inferences')
    expect(listSchema.parse(inferences.json).items).toHaveLength(2)
    for (const { text } of [payments, inferences]) expect(text).not.toMatch(/red bicycle|hushed|prompt|signature|"0x"/)
  })

  it('behavior: purchases of one moment are on one page, so the next page skips none', async () => {
    const createdAt = '2026-11-27T11:00:00Z'
    for (const at of [createdAt, createdAt, '2026-11-27T10:00:00Z']) {
      await seedInference(db.database, { owner: OWNER, createdAt: at })
    }
    const client = await signedIn(K1.address)
    const countOf = async (path: string) => listSchema.parse((await client.get(path)).json).items.length
    for (const list of ['/api/admin/payments?limit=1', '/api/admin/inferences?limit=1']) {
      expect([await countOf(list), await countOf(`${list}&before=${createdAt}`)]).toEqual([2, 1])
    }
  })

  const times = ['yesterday', '0000-01-01T00:00:00Z', '2026-02-29T00:00:00Z'].map((time) => `?before=${time}`)
  const limits = ['101', '0', '', '%205', '0x10', '1e1'].map((limit) => `?limit=${limit}`)
  it.each([...times, ...limits, '?state=lost', '?state=owed&state=done', '?order=asc'])(
    'error: invalid_request for %s',
    async (query) => {
      const answer = await (await signedIn(K1.address)).get(`/api/admin/payments${query}`)
      expect(answer.json).toMatchObject({ status: 400, code: 'invalid_request' })
    },
  )
})
