import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { fromBase64 } from '../../../protocol/base64.ts'
import { makeTestConfig, TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'

const db = useDatabase()

const SECRET = `whsec_${Buffer.from('a webhook secret of a test, 32 B').toString('base64')}`
const PATH = '/api/webhooks/model-provider'

/** A service with a purchase whose run is not finished; its buyer left with a 202, and its driver has stopped for now. */
async function open({ secret = SECRET }: { secret?: string | null } = {}) {
  const { provider } = makeTestConfig()
  const config = makeTestConfig({ provider: { ...provider, ...(secret !== null && { webhookSecret: secret }) } })
  const service = openService(db.database, { config })
  const buyer = await service.openBuyer()
  const run = { done: false }
  service.provider.state.plays = (prediction) =>
    run.done ? prediction : { ...prediction, status: 'running', rawStatus: 'processing', output: null }
  const pending = await buyer.answer(requests.text, await buyer.signedPayment(requests.text), {
    Prefer: 'respond-async',
  })
  await service.finish()
  const finish = () => Object.assign(run, { done: true })

  async function sign(id: string, seconds: number, body: string): Promise<string> {
    const bytes = fromBase64(SECRET.slice('whsec_'.length))
    if (bytes === null) throw new Error('no base64')
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', new Uint8Array(bytes), algorithm, false, ['sign'])
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${seconds}.${body}`))
    return `v1,${Buffer.from(mac).toString('base64')}`
  }
  async function send(
    body: unknown,
    options: { id?: string; ageSeconds?: number; headers?: Record<string, string>; query?: string } = {},
  ) {
    const { id = 'msg_1', ageSeconds = 0, headers = {}, query = `?inference=${pending.body.id}` } = options
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const seconds = Math.floor(service.clock.now().getTime() / 1000) - ageSeconds
    const signed = {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': await sign(id, seconds, text),
    }
    const all = { 'Content-Type': 'application/json', ...signed, ...headers }
    return service.fetch(TEST_ORIGIN + PATH + query, { method: 'POST', body: text, headers: all })
  }
  const records = () => db.database.run(sql`select status, output_data from inferences`)
  return { service, send, finish, records, id: pending.body.id }
}

const hint = { id: 'prediction-1', status: 'succeeded', output: 'a word' }

describe('POST /api/webhooks/model-provider', () => {
  it.each([
    ['without a signature', { headers: { 'webhook-signature': '' } }],
    ['with another’s signature', { headers: { 'webhook-signature': `v1,${'A'.repeat(43)}=` } }],
    ['with a signature of another message', { headers: { 'webhook-id': 'msg_2' } }],
    ['that is ten minutes old', { ageSeconds: 600 }],
    ['from ten minutes ahead', { ageSeconds: -600 }],
  ])('error: invalid_signature for a hint %s, and nothing moves', async (_what, options) => {
    const { service, send, finish, records } = await open()
    finish()
    const response = await send(hint, options)
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([401, 'invalid_signature'])
    await service.finish()
    expect(await records()).toEqual([{ status: 'pending', output_data: null }])
  })

  it('behavior: the same hint five times has one effect, and each time the answer is good', async () => {
    const { service, send, finish, records } = await open()
    finish()
    for (let count = 0; count < 5; count += 1) expect((await send(hint)).status).toBe(204)
    await service.finish()
    expect(await records()).toEqual([{ status: 'succeeded', output_data: { text: 'a word' } }])
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
    const [sums] = await db.database.run(sql`select succeeded::int as succeeded from model_sum_parts`)
    expect(sums).toEqual({ succeeded: 1 })
  })

  it('behavior: a forged success of a run that is not finished changes nothing', async () => {
    const { service, send, records } = await open()
    expect((await send({ ...hint, output: 'forged words' })).status).toBe(204)
    await service.finish()
    expect(await records()).toEqual([{ status: 'pending', output_data: null }])
  })

  it('behavior: a late "processing" after the end moves nothing back', async () => {
    const { service, send, finish, records } = await open()
    finish()
    await send(hint)
    await service.finish()
    expect((await send({ id: 'prediction-1', status: 'processing' }, { id: 'msg_9' })).status).toBe(204)
    await service.finish()
    expect(await records()).toMatchObject([{ status: 'succeeded' }])
  })

  it('behavior: an unknown run or purchase is answered, and leaves no row', async () => {
    const { service, send, finish, records } = await open()
    finish()
    for (const query of ['', '?inference=7d3e1f6a-0000-4000-8000-000000000000', '?inference=%00', '?inference=x']) {
      expect((await send({ id: 'prediction-99' }, { query })).status).toBe(204)
    }
    await service.finish()
    expect(await records()).toEqual([{ status: 'pending', output_data: null }])
  })

  it('error: invalid_request for an id that is not plain text, and nothing fails later', async () => {
    const { service, send } = await open()
    for (const id of ['\0', 'a b', 'é', 'x'.repeat(201)]) {
      const response = await send({ id })
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'invalid_request' }),
      ])
    }
    await service.finish()
    expect(service.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('error: invalid_json and invalid_request for signed nonsense, not_found without a secret', async () => {
    const { send } = await open()
    expect((await send('{')).status).toBe(400)
    expect((await send({ status: 'succeeded' })).status).toBe(400)
    await db.reset()
    const closed = await open({ secret: null })
    expect((await closed.send(hint)).status).toBe(404)
  })
})
