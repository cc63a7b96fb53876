import {
  appendPaymentIdentifierToExtensions,
  generatePaymentId,
  isPaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/helpers/app.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../../test/helpers/sign-payment.ts'
import type { PaymentRequired } from '../../../x402/schemas.ts'

const db = useDatabase()
const OTHER = { ...requests.text, input: { prompt: 'another word' } }

/** The member that the extension's own client adds to a payment whose 402 offered it. */
const named = (id: string, extensions: Record<string, unknown> = {}) => ({
  extensions: appendPaymentIdentifierToExtensions(
    { ...extensions, 'payment-identifier': { info: { required: false }, schema: {} } },
    id,
  ),
})

async function setUp() {
  const service = openService(db.database)
  const buyer = await service.openBuyer()
  /** A new payment for a body, with this identifier and the quote of a fresh 402. */
  const sign = async (body: unknown, id: string, from = buyer) => {
    const required = await from.quote(body)
    return from.sign(required, named(id, required.extensions))
  }
  return { ...service, buyer, sign }
}

describe('payment-identifier', () => {
  it('default: a challenge offers it to who is not signed in, in a header of less than 4 KiB', async () => {
    const { client } = makeTestApp({ database: { run: async () => [], batch: async () => [] } })
    const header = (await client().post('/api/inference', requests.image)).headers.get('Payment-Required')
    const { extensions } = decodeHeader(header) as PaymentRequired
    expect(isPaymentIdentifierExtension(extensions['payment-identifier'])).toBe(true)
    expect(validatePaymentIdentifier(extensions['payment-identifier'])).toEqual({ valid: true })
    expect(header?.length).toBeLessThan(4 * 1024)
  })

  it('behavior: the same payment with its identifier is a replay', async () => {
    const { buyer, sign, calls } = await setUp()
    const header = await sign(requests.text, generatePaymentId())
    const [first, again] = [await buyer.answer(requests.text, header), await buyer.answer(requests.text, header)]
    expect([first.status, again.status, again.body.id]).toEqual([200, 200, first.body.id])
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it.each([
    ['the same request, signed again', requests.text],
    ['another request', OTHER],
  ])('error: payment_used_for_other_request for %s under a used identifier', async (_what, body) => {
    const { buyer, sign, calls } = await setUp()
    const id = generatePaymentId()
    const { body: bought } = await buyer.answer(requests.text, await sign(requests.text, id))
    expect((await buyer.answer(body, await sign(body, id))).body).toMatchObject({
      status: 409,
      code: 'payment_used_for_other_request',
      paymentState: 'unused',
      nextAction: 'poll',
      statusUrl: `/api/inference/${bought.id}`,
    })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: each payment under a used identifier counts as an unpaid call; a replay never', async () => {
    const { buyer, sign, rateLimiter } = await setUp()
    const id = generatePaymentId()
    const [first, second] = [await sign(requests.text, id), await sign(requests.text, id)]
    const counted = async (header: string): Promise<number> => {
      rateLimiter.state.taken.length = 0
      for (let time = 0; time < 3; time += 1) await buyer.answer(requests.text, header)
      return rateLimiter.state.taken.filter((ticket) => ticket.startsWith('unpaid:')).length
    }
    expect([await counted(first), await counted(second)]).toEqual([0, 3])
  })

  it('behavior: two payments with one identifier at once: one is taken', async () => {
    const { buyer, sign, calls } = await setUp()
    const id = generatePaymentId()
    const headers = [await sign(requests.text, id), await sign(requests.text, id)]
    const answers = await Promise.all(headers.map((header) => buyer.answer(requests.text, header)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(calls().settle).toBe(1)
  })

  it('behavior: an identifier is per wallet', async () => {
    const { openBuyer, buyer, sign } = await setUp()
    const id = generatePaymentId()
    const stranger = await openBuyer({ privateKey: generatePrivateKey() })
    expect((await buyer.answer(requests.text, await sign(requests.text, id))).status).toBe(200)
    expect((await stranger.answer(requests.text, await sign(requests.text, id, stranger))).status).toBe(200)
  })

  it('behavior: a rejected payment does not use its identifier up, and may come again itself', async () => {
    const { buyer, sign, facilitator } = await setUp()
    const id = generatePaymentId()
    const { verifies } = facilitator.state
    facilitator.state.verifies = async () => ({ kind: 'invalid', reason: 'insufficient_funds' })
    const header = await sign(requests.text, id)
    expect((await buyer.answer(requests.text, header)).status).toBe(402)
    facilitator.state.verifies = verifies
    expect((await buyer.answer(requests.text, await sign(requests.text, id))).status).toBe(200)
    expect((await buyer.answer(requests.text, header)).status).toBe(409)
  })

  it.each([['short'], ['x'.repeat(129)], ['has spaces in it!'], [17]])(
    'error: invalid_payment_header for the identifier %s',
    async (id) => {
      const { buyer } = await setUp()
      const required = await buyer.quote(requests.text)
      const extensions = { ...required.extensions, 'payment-identifier': { info: { required: false, id } } }
      const answer = await buyer.answer(requests.text, await buyer.sign(required, { extensions }))
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_payment_header'])
    },
  )
})
