import { sql } from 'drizzle-orm'
import { concat, slice } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'
import { encodeHeader } from '../../../../test/helpers/sign-payment.ts'
import { ProviderError } from '../../../upstreams/provider/provider.ts'

const db = useDatabase()

const hex = z.templateLiteral(['0x', z.string()])
const paymentSchema = z.looseObject({
  accepted: z.looseObject({ asset: z.string() }),
  payload: z.looseObject({
    signature: hex,
    authorization: z.looseObject({ from: z.string(), nonce: z.string(), to: z.string() }),
  }),
})
const read = (header: string) => paymentSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString()))

describe('one authorization in other clothes is the same payment', () => {
  it('behavior: another encoding of the payment or signature settles and runs nothing twice', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const payment = read(header)
    const { payload, accepted, ...others } = payment
    const { authorization, signature } = payload
    const compactV = concat([slice(signature, 0, 64), signature.endsWith('1b') ? '0x00' : '0x01'])
    const clothes = [
      header,
      Buffer.from(JSON.stringify(payment)).toString('base64url'),
      header.replace(/=+$/, ''),
      encodeHeader({ ...others, payload, accepted }),
      encodeHeader({ ...payment, payload: { ...payload, signature: compactV } }),
      encodeHeader({ ...payment, accepted: { ...accepted, asset: accepted.asset.toLowerCase() } }),
      encodeHeader({
        ...payment,
        payload: {
          ...payload,
          authorization: {
            ...authorization,
            from: authorization.from.toLowerCase(),
            nonce: `0x${authorization.nonce.slice(2).toUpperCase()}`,
          },
        },
      }),
    ]
    const answers = await Promise.all(clothes.map((dress) => buyer.answer(requests.text, dress)))
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const later = []
    for (const dress of clothes) later.push(await buyer.answer(requests.text, dress))
    expect(later.map(({ status }) => status)).toEqual(clothes.map(() => 200))
    expect(new Set(later.map(({ body }) => body.id)).size).toBe(1)
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
    const [rows] = await db.database.run(sql`select count(*)::int as payments from payments`)
    expect(rows).toEqual({ payments: 1 })
  })

  it('error: payer_mismatch for a payment that another wallet brings, finished or not', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const thief = await service.openBuyer()
    expect((await thief.answer(requests.text, header)).body.code).toBe('payer_mismatch')
    expect((await buyer.answer(requests.text, header)).status).toBe(200)
    // The answer must not say that it was unused: that is not looked up.
    expect((await thief.answer(requests.text, header)).body).toMatchObject({
      code: 'payer_mismatch',
      paymentState: 'unknown',
      nextAction: 'sign_in',
    })
  })
})

describe('a contract wallet as payer', () => {
  const walletSignature = `0x${'c0'.repeat(200)}` as const

  it('behavior: its signature goes to the facilitator untouched and buys', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    service.chain.state.code.add(buyer.account.address.toLowerCase())
    const header = await buyer.signedPayment(requests.text, { signature: walletSignature })
    expect((await buyer.answer(requests.text, header)).status).toBe(200)
    expect(service.facilitator.state.settled.map(({ payload }) => payload.payload.signature)).toEqual([walletSignature])
  })

  it('error: payment_rejected for the same bytes of a payer without code, with no call', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text, { signature: `0x${'11'.repeat(64)}1b` })
    expect((await buyer.answer(requests.text, header)).body.code).toBe('payment_rejected')
    expect(service.calls()).toMatchObject({ verify: 0, settle: 0 })
  })
})

describe('what a purchase costs the platform', () => {
  it('behavior: a run of five minutes is polled fewer than 100 times, at last every 10 s', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const startedAt = service.clock.now().getTime()
    const looks: number[] = []
    service.provider.state.plays = (prediction) => {
      looks.push(service.clock.now().getTime() - startedAt)
      const runs = service.clock.now().getTime() - startedAt < 300_000
      return runs ? { ...prediction, status: 'running', rawStatus: 'processing', output: null } : prediction
    }
    expect((await buyer.stream(requests.text, header)).at(-1)?.event).toBe('result')
    expect(looks.length).toBeLessThan(100)
    const [last = 0, before = 0] = looks.toReversed()
    expect(last - before).toBeGreaterThanOrEqual(10_000)
  })
})

describe('methods', () => {
  it('behavior: HEAD on a purchase shows its state, has no body and drives nothing', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'timeout' })
    const { body } = await buyer.answer(requests.text, header)
    const path = body.statusUrl ?? ''
    service.clock.advance(120_000)
    const before = service.chain.state.calls.length
    const head = await buyer.call(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(service.chain.state.calls.length).toBe(before)
    await service.time.run(buyer.call(path))
    expect(service.chain.state.calls.length).toBeGreaterThan(before)
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'HEAD'])(
    'error: method_not_allowed for a good payment by %s, nothing charged',
    async (method) => {
      const service = openService(db.database)
      const buyer = await service.openBuyer()
      const header = await buyer.signedPayment(requests.text)
      const response = await buyer.call('/api/inference', { method, headers: { 'Payment-Signature': header } })
      expect(response.status).toBe(405)
      expect(service.calls()).toMatchObject({ verify: 0, settle: 0 })
    },
  )
})

describe('what the provider says', () => {
  it('behavior: names, tokens and version hashes in its words reach no buyer', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const words =
      'the provider answered 422: {"title":"Invalid version or not permitted","token":"r8_hush","version":"5c7d5dc6"}'
    service.provider.state.createError = new ProviderError('input', words)
    const { status, body } = await buyer.answer(requests.text, header)
    expect(status).toBe(502)
    expect(JSON.stringify(body)).not.toMatch(/r8_hush|5c7d5dc6|Invalid version|replicate/i)
  })
})

it.each([
  ['has no answer', { kind: 'unavailable', detail: 'no answer' }],
  ['says no', { kind: 'invalid', reason: 'insufficient_funds' }],
  ['says yes', { kind: 'valid' }],
] as const)('error: payment_in_progress where the copy sent later settled, and /verify %s', async (_, late) => {
  const service = openService(db.database)
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  const { state } = service.facilitator
  state.verifies = async () => {
    service.clock.advance(40_000)
    expect((await buyer.answer(requests.text, header)).status).toBe(200)
    return late
  }
  const { status, body } = await buyer.answer(requests.text, header)
  expect([status, body.code]).toEqual([409, 'payment_in_progress'])
  expect(body.paymentState).not.toBe('unused')
  expect(service.calls()).toMatchObject({ create: 1 })
  expect((await buyer.answer(requests.text, header)).status).toBe(200)
})
