import { describe, expect, it } from 'vitest'
import { K1, K2, makeTestApp } from '../../../test/helpers/app.ts'
import { TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { downDatabase } from '../../../test/helpers/fakes/ports.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'

const db = useDatabase()
const ME = K1.address.toLowerCase()
const HEADER =
  'id,created_at,completed_at,status,task,model,prompt,payment_network,payment_asset,payment_amount,payment_tx_hash,' +
  'estimated_cost_usdc,actual_cost_usdc,estimated_seconds,predict_time_ms,discount_pct,effective_rate_usdc,error,refund,refund_tx_hash'

async function download(query = '', overrides: Parameters<typeof makeTestApp>[0] = {}) {
  const kit = makeTestApp({ database: { ...db.database }, ...overrides })
  const client = await kit.signedIn()
  return client.get(`/api/inferences?format=csv${query}`)
}

const linesOf = (text: string): string[] => {
  expect(text.endsWith('\r\n')).toBe(true)
  return text.slice(0, -2).split('\r\n')
}

describe('GET /api/inferences?format=csv', () => {
  it('default: one line per purchase under a header, newest first, as a file to keep', async () => {
    const failed = await seedInference(db.database, {
      owner: ME,
      createdAt: '2026-11-27T10:00:00Z',
      status: 'failed',
    })
    const made = await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T11:00:00Z' })
    await seedInference(db.database, { owner: K2.address.toLowerCase(), createdAt: '2026-11-27T12:00:00Z' })
    const answer = await download()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="coinslot-payments-2026-11-27.csv"')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    const [header, first, second, ...more] = linesOf(answer.text)
    expect([header, more]).toEqual([HEADER, []])
    const time = '2026-11-27T11:00:00.000Z'
    expect(first).toMatch(
      new RegExp(
        `^${made},${time},${time},succeeded,text-to-image,a/model,a red bicycle,eip155:84532,0x036CbD53842c5426634e7929541eC2318f3dCF7e,10000,0x[0-9a-f]{64},0\\.010000,0\\.001234,10,1234,0\\.00,0\\.001000000,,,$`,
      ),
    )
    expect(second?.split(',')).toEqual(expect.arrayContaining([failed, 'failed', 'inference_failed']))
  })

  it('default: nothing bought is the header alone', async () => {
    expect((await download()).text).toBe(`${HEADER}\r\n`)
  })

  it('behavior: every purchase is there once, also when there are more than fit one page', async () => {
    const ids = []
    for (let minute = 0; minute < 205; minute += 1) {
      const createdAt = new Date(Date.UTC(2026, 10, 27, 0, minute))
      ids.unshift(await seedInference(db.database, { owner: ME, createdAt }))
    }
    const [, ...lines] = linesOf((await download()).text)
    expect(lines.map((line) => line.split(',')[0])).toEqual(ids)
    expect(linesOf((await download('&limit=100')).text)).toHaveLength(101)
  })

  it('behavior: filters hold for the file as for the list', async () => {
    await seedInference(db.database, { owner: ME, createdAt: '2026-11-27T10:00:00Z', status: 'failed' })
    const text = await seedInference(db.database, {
      owner: ME,
      createdAt: '2026-11-27T11:00:00Z',
      task: 'text-to-text',
    })
    expect(linesOf((await download('&task=text-to-text')).text).slice(1)).toEqual([expect.stringContaining(text)])
    expect(linesOf((await download('&status=failed')).text)).toHaveLength(2)
  })

  it('error: another format, a signed-out caller, no database: refused before any byte', async () => {
    expect((await download('x')).json).toMatchObject({ status: 400, code: 'invalid_request' })
    const signedOut = await makeTestApp().client().get('/api/inferences?format=csv', { Origin: TEST_ORIGIN })
    expect(signedOut.json).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect((await download('', { database: downDatabase })).json).toMatchObject({ code: 'database_unavailable' })
  })
})
