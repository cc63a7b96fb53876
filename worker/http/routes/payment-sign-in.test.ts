import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { requests } from '../../../test/helpers/in-process-service.ts'
import { useSessionlessCaller } from '../../../test/helpers/sessionless-caller.ts'
import { decodeHeader, encodeHeader } from '../../../test/helpers/sign-payment.ts'

const setUp = useSessionlessCaller()
const BODY = requests.text

describe('PAYMENT_SIGN_IN', () => {
  it('default: an open quote signs in one payment, and finds it again after it expired', async () => {
    const { post, send, paymentFor, calls, clock } = setUp(true)
    const first = await post(BODY)
    expect(first.body.nextAction).toBe('sign_new_payment')
    const payment = await paymentFor(first)
    const answer = await post(BODY, { ...payment, Prefer: 'respond-async' })
    expect(answer.status).toBe(202)
    expect(answer.body.statusUrl).toMatch(/\?key=[\w-]{43}$/)
    expect(answer.headers.get('Location')).toBe(answer.body.statusUrl)
    clock.advance(700_000)
    expect((await post(BODY, payment)).status).toBe(200)
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
    const url = answer.body.statusUrl ?? ''
    expect(await send(url)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect((await send(url.replace(/key=./, (first) => (first === 'key=A' ? 'key=B' : 'key=A')))).status).toBe(402)
    expect((await send(url.split('?')[0] ?? '')).status).toBe(402)
  })

  it('error: G8 a record’s key is good for 30 days, in a header too', async () => {
    const { post, send, paymentFor, clock } = setUp(true)
    const payment = await paymentFor(await post(BODY))
    const answer = await post(BODY, { ...payment, Prefer: 'respond-async' })
    const [path = '', key = ''] = (answer.body.statusUrl ?? '').split('?key=')
    const DAY_MS = 24 * 60 * 60 * 1000
    clock.advance(29 * DAY_MS)
    expect((await send(`${path}?key=${key}`)).status).toBe(200)
    expect((await send(path, { 'X-Record-Key': key })).status).toBe(200)
    clock.advance(2 * DAY_MS)
    expect((await send(`${path}?key=${key}`)).status).toBe(402)
    expect((await send(path, { 'X-Record-Key': key })).status).toBe(402)
  })

  it('error: quote_expired for a second authorization on the same quote, of any wallet', async () => {
    const { post, paymentFor, calls } = setUp(true)
    const first = await post(BODY)
    const payments = [
      await paymentFor(first),
      await paymentFor(first),
      await paymentFor(first, {}, generatePrivateKey()),
    ]
    const answers = await Promise.all(payments.map((payment) => post(BODY, payment)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402])
    for (const { status, body } of answers) if (status === 402) expect(body.code).toBe('quote_expired')
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('error: a payment without its quote, or with another one, opens nothing', async () => {
    const { post, paymentFor } = setUp(true)
    const first = await post(BODY)
    const payment = await paymentFor(first)
    expect((await post(BODY, payment)).status).toBe(200)
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    const other = z.looseObject({}).parse(decodeHeader((await post(BODY)).headers.get('Payment-Required')))
    for (const extensions of [undefined, {}, other['extensions']]) {
      const rebuilt = encodeHeader({ ...decoded, extensions })
      const answer = await post(BODY, { 'Payment-Signature': rebuilt })
      expect(answer).toMatchObject({ status: 402, body: { nextAction: 'sign_in', paymentState: 'settled' } })
      expect(answer.headers.get('Payment-Response')).toBeNull()
      expect(JSON.stringify(answer.body)).not.toContain('one word')
    }
  })

  it('error: a quote token without its payment reads nothing', async () => {
    const { post, send, paymentFor, requiredOf } = setUp(true)
    const first = await post(BODY)
    const bought = await post(BODY, await paymentFor(first))
    const token = requiredOf(first).extensions.quote?.info.token ?? ''
    const id = z.object({ id: z.uuid() }).parse(bought.body).id
    for (const key of [token, token.slice(0, 43), token.slice(-43)]) {
      const answer = await send(`/api/inference/${id}?key=${encodeURIComponent(key)}`)
      expect([answer.status, answer.body['output']]).toEqual([402, undefined])
    }
  })

  it('error: switched off, an open quote does not count as sign-in', async () => {
    const { post, paymentFor, calls } = setUp(false)
    expect((await post(BODY, await paymentFor(await post(BODY)))).body.nextAction).toBe('sign_in')
    expect(calls()).toMatchObject({ verify: 0 })
  })
})

describe('PAYMENT_SIGN_IN, an open quote that is not for this call', () => {
  it.each([
    ['has expired', 601_000, BODY],
    ['has expired and whose nonce was purged', 2 * 3_600_000, BODY],
    ['is for another request', 0, { ...BODY, input: { prompt: 'two words' } }],
  ])('error: quote_expired where it %s', async (_, ms, body) => {
    const { post, requiredOf, paymentFor, calls, clock, tick } = setUp(true)
    const first = await post(BODY)
    if (ms > 601_000) expect((await post(BODY, await paymentFor(first))).status).toBe(200)
    const before = calls()
    clock.advance(ms)
    await tick()
    const payment = await paymentFor(await post(body), { extensions: requiredOf(first).extensions })
    expect(await post(body, payment)).toMatchObject({ status: 402, body: { code: 'quote_expired' } })
    expect(calls()).toEqual(before)
  })
})
