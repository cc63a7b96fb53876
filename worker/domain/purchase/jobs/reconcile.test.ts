import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../../db/client.ts'
import { makeTestConfig, TEST_ORIGIN } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { ProviderError } from '../../../upstreams/provider/provider.ts'

const db = useDatabase()

const SECRET = `whsec_${Buffer.from('a secret for webhooks').toString('base64')}`
const served = { status: 200 }
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const states = async () => (await db.database.run(sql`select state from payments`)).map(({ state }) => state)

async function open(overrides: Parameters<typeof openService>[1] = {}) {
  const provider = { ...makeTestConfig().provider, webhookSecret: SECRET }
  const service = openService(db.database, { config: makeTestConfig({ provider }), ...overrides })
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  return { service, buyer, header }
}

/** The chain says that the transfer was mined, now. */
function mine(service: Service): void {
  const { script } = service.chain.state
  script.authorizationStatus = async () => ({ spent: true, blockTime: service.clock.now() })
  const blockTime = service.clock.now()
  script.authorizationOutcome = async () => ({
    kind: 'transferred',
    transaction: `0x${'cd'.repeat(32)}`,
    logIndex: 1,
    blockTime,
    confirmations: 1,
  })
}

describe('the scheduled job', () => {
  it('behavior: two statements when there is nothing to do', async () => {
    let statements = 0
    const counting: Database = {
      run: (...args) => {
        statements += 1
        return db.database.run(...args)
      },
      batch: db.database.batch,
    }
    const service = openService(counting)
    await service.tick()
    expect(statements).toBe(2)
  })

  it('behavior: finishes a payment that was mined after its call ended', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 504' })
    await buyer.answer(requests.text, header)
    mine(service)
    service.clock.advance(11_000)
    await service.tick()
    expect(await states()).toEqual(['done'])
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: two jobs at once do no work twice', async () => {
    const { service, buyer } = await open()
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 504' })
    for (let paid = 0; paid < 6; paid += 1) await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
    service.chain.state.script.authorizationStatus = async () => ({ spent: false, blockTime: service.clock.now() })
    service.clock.advance(11_000)
    service.chain.state.calls.length = 0
    await Promise.all([service.tick(), service.tick()])
    expect(service.chain.state.calls).toHaveLength(6)
  })

  it('behavior: works through more than one batch', async () => {
    const { service, buyer } = await open({ config: makeTestConfig({ rateLimits: false }) })
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 504' })
    for (let paid = 0; paid < 25; paid += 1) await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
    mine(service)
    service.clock.advance(11_000)
    const hashes = service.chain.state.script
    hashes.authorizationOutcome = async (query) => ({
      kind: 'transferred',
      transaction: query.nonce,
      logIndex: 1,
      blockTime: service.clock.now(),
      confirmations: 1,
    })
    await service.tick()
    expect(new Set(await states())).toEqual(new Set(['done']))
  })

  it('behavior: a start it was killed in holds everybody else off until the run can be seen', async () => {
    const { service, buyer, header } = await open()
    service.provider.state.createError = new ProviderError('unavailable', 'the provider answered 503')
    await buyer.answer(requests.text, header)
    service.provider.state.createError = null
    // The job's worker dies in its call; the run is there, and the list shows it after 45 s.
    const { create, list } = service.provider
    service.provider.create = (request) => create(request).then(() => new Promise(() => undefined))
    service.provider.list = async function* (since) {
      for await (const run of list(since)) {
        if (service.clock.now().getTime() - (run.createdAt?.getTime() ?? 0) >= 45_000) yield run
      }
    }
    service.clock.advance(61_000)
    await expect(service.tick()).rejects.toThrow('nothing is left to wait for')
    service.provider.create = create
    for (let seconds = 0; seconds < 120; seconds += 5) {
      service.clock.advance(5_000)
      await service.tick()
    }
    expect(await states()).toEqual(['done'])
    expect(service.calls().create).toBe(1)
  })
})

describe('what is purged', () => {
  it('behavior: claimed after an hour, once the chain was looked at past validBefore', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.verifies = async () => ({ kind: 'unavailable', detail: 'status 503' })
    await buyer.answer(requests.text, header)
    service.clock.advance(59 * MINUTE_MS)
    await service.tick()
    expect(await states()).toEqual(['claimed'])
    expect(service.chain.state.calls).toContain('authorizationStatus')
    service.clock.advance(2 * MINUTE_MS)
    await service.tick()
    expect(await states()).toEqual([])
  })

  it('behavior: rejected after a day; never while the chain cannot be read', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.verifies = async () => ({ kind: 'invalid', reason: 'insufficient_funds' })
    await buyer.answer(requests.text, header)
    service.chain.state.down = true
    service.clock.advance(25 * HOUR_MS)
    await service.tick()
    expect(await states()).toEqual(['rejected'])
    service.chain.state.down = false
    service.clock.advance(2 * MINUTE_MS)
    await service.tick()
    expect(await states()).toEqual([])
  })

  it('behavior: what was paid stays; sign-in nonces go after an hour', async () => {
    const { service, buyer, header } = await open()
    await buyer.answer(requests.text, header)
    service.clock.advance(61 * MINUTE_MS)
    await service.tick()
    expect(await states()).toEqual(['done'])
    expect(await db.database.run(sql`select nonce from used_nonces`)).toEqual([])
  })
})

describe('the provider’s webhook', () => {
  async function send(service: Service, path: string, body: unknown, more: { at?: Date; signature?: string } = {}) {
    const text = JSON.stringify(body)
    const timestamp = String(Math.floor((more.at ?? service.clock.now()).getTime() / 1000))
    const key = Buffer.from(SECRET.slice(6), 'base64')
    const signature = createHmac('sha256', key).update(`msg.${timestamp}.${text}`).digest('base64')
    const response = await service.fetch(`${TEST_ORIGIN}/api/webhooks/model-provider${path}`, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg',
        'webhook-timestamp': timestamp,
        'webhook-signature': more.signature ?? `v1,${signature}`,
      },
    })
    await service.finish()
    return response.status
  }

  /** A purchase whose create was not answered: only its webhook URL names the run. */
  async function lost() {
    const opened = await open()
    const { service } = opened
    const { create, list } = service.provider
    service.provider.create = async (request) => {
      await create(request)
      throw new ProviderError('unavailable', 'no answer', { maybeStarted: true })
    }
    service.provider.list = async function* () {}
    const { body } = await opened.buyer.answer(requests.text, opened.header)
    return { ...opened, id: String(body.id), list }
  }

  it('default: brings the look at the run it names forward', async () => {
    const { service, id } = await lost()
    expect(await send(service, `?inference=${id}`, { id: 'prediction-1' })).toBe(204)
    expect(await states()).toEqual(['done'])
    expect(await send(service, `?inference=${id}`, { id: 'prediction-1' })).toBe(204)
    expect(service.calls()).toMatchObject({ create: 1 })
  })

  it('behavior: the outcome is fetched from the provider, only for this purchase’s run', async () => {
    const { service, buyer, id } = await lost()
    const other = await buyer.signedPayment(requests.text)
    await buyer.answer(requests.text, other)
    // `prediction-2` is the other purchase's; the URL is not covered by the signature.
    await send(service, `?inference=${id}`, { id: 'prediction-2', status: 'succeeded', output: 'a lie' })
    expect(await states()).toEqual(['settled', 'settled'])
    await send(service, `?inference=${id}`, { id: 'prediction-1', status: 'failed' })
    const [row] = await db.database.run(sql`select output_data from inferences where status = 'succeeded'`)
    expect(row).toEqual({ output_data: { text: 'a word' } })
    expect(service.calls().create).toBe(2)
  })

  it('behavior: however long after settlement, it starts no run', async () => {
    const { service, id } = await lost()
    service.clock.advance(10 * MINUTE_MS)
    expect(await send(service, `?inference=${id}`, { id: 'nobody-knows' })).toBe(204)
    expect(service.calls().create).toBe(1)
  })

  it('behavior: one for a run without a purchase is accepted and does nothing', async () => {
    const { service } = await open()
    expect(await send(service, '', { id: 'prediction-9' })).toBe(204)
    expect(await send(service, '?inference=00000000-0000-4000-8000-000000000000', { id: 'x' })).toBe(204)
  })

  it('error: INVALID_SIGNATURE for a bad signature or a time more than 5 minutes off', async () => {
    const { service } = await open()
    expect(await send(service, '', { id: 'a' }, { signature: `v1,${'A'.repeat(43)}=` })).toBe(401)
    expect(await send(service, '', { id: 'a' }, { at: new Date(service.clock.now().getTime() - 301_000) })).toBe(401)
    expect(await send(service, '', { id: 'a' }, { at: new Date(service.clock.now().getTime() + 301_000) })).toBe(401)
  })

  it('error: NOT_FOUND without a secret', async () => {
    const { service } = await open({ config: makeTestConfig() })
    expect(await send(service, '', { id: 'a' })).toBe(404)
  })
})

describe('the operator’s lists', () => {
  it('default: what is owed, and what failed, without prompts', async () => {
    const { service, buyer, header } = await open()
    service.provider.state.createError = new ProviderError('input', 'the provider answered 422')
    await buyer.answer(requests.text, header)
    service.deps.config.admins = [{ address: buyer.account.address.toLowerCase(), chainId: null }]
    const payments = await buyer.call('/api/admin/payments?state=owed').then((response) => response.text())
    const inferences = await buyer.call('/api/admin/inferences?status=failed').then((response) => response.text())
    expect(JSON.parse(payments)).toMatchObject({
      items: [{ state: 'owed', payer: buyer.account.address, amount: '3000', model: requests.text.model }],
    })
    expect(JSON.parse(inferences)).toMatchObject({ items: [{ status: 'failed', error: { code: 'input_rejected' } }] })
    expect(payments + inferences).not.toContain('one word')
    expect(await (await buyer.call('/api/admin/payments?state=done')).json()).toEqual({ items: [] })
  })

  it('error: NOT_ADMIN for other callers, INVALID_REQUEST for an invalid state', async () => {
    const { service, buyer } = await open()
    expect((await buyer.call('/api/admin/payments')).status).toBe(403)
    service.deps.config.admins = [{ address: buyer.account.address.toLowerCase(), chainId: null }]
    expect((await buyer.call('/api/admin/payments?state=lost')).status).toBe(400)
  })
})
