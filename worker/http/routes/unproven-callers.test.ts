import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { requests } from '../../../test/helpers/in-process-service.ts'
import { type SessionlessCaller, useSessionlessCaller } from '../../../test/helpers/sessionless-caller.ts'
import { decodeHeader, encodeHeader } from '../../../test/helpers/sign-payment.ts'
import { makeMemoryRateLimiter } from '../../upstreams/limiter/memory-rate-limiter.ts'

const setUp = useSessionlessCaller()
const BODY = requests.text

describe('limits of callers whose wallet is not proven', () => {
  /** Payments that echo a nonce that proves nothing, each of another wallet. */
  const paymentsOfStrangers = async (kit: SessionlessCaller, count: number) => {
    const first = await kit.post(BODY)
    return Promise.all(Array.from({ length: count }, () => kit.paymentFor(first, {}, generatePrivateKey())))
  }

  it('error: rate_limited after 60 unproven payments of an address', async () => {
    const kit = setUp()
    kit.deps.rateLimiter = makeMemoryRateLimiter(kit.clock.now)
    const statuses: number[] = []
    for (const payment of await paymentsOfStrangers(kit, 62)) statuses.push((await kit.post(BODY, payment)).status)
    expect(statuses.filter((status) => status === 402)).toHaveLength(59)
    expect(statuses.at(-1)).toBe(429)
  })

  it('error: rate_limited says what the journal has of a payment that is settled', async () => {
    const kit = setUp()
    const first = await kit.post(BODY)
    const payment = await kit.paymentFor(first)
    expect((await kit.post(BODY, { ...payment, ...(await kit.proofFor(first)) })).status).toBe(200)
    const stranger = await kit.paymentFor(await kit.post(BODY))
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    const other = z.looseObject({}).parse(decodeHeader(stranger['Payment-Signature'] ?? ''))
    const rebuilt = { 'Payment-Signature': encodeHeader({ ...decoded, extensions: other['extensions'] }) }
    kit.rateLimiter.state.allowed = false
    expect(await kit.post(BODY, rebuilt)).toMatchObject({ status: 429, body: { paymentState: 'settled' } })
  })

  it('behavior: over the claim limit, a signature that does not recover reads no chain', async () => {
    const kit = setUp()
    const [payment] = await paymentsOfStrangers(kit, 1)
    const decoded = z
      .looseObject({ payload: z.looseObject({}) })
      .parse(decodeHeader(payment?.['Payment-Signature'] ?? ''))
    const forged = { ...decoded, payload: { ...decoded.payload, signature: `0x${'11'.repeat(65)}` } }
    kit.rateLimiter.state.allowed = false
    const reads = kit.chain.state.calls.length
    expect((await kit.post(BODY, { 'Payment-Signature': encodeHeader(forged) })).status).toBe(429)
    expect(kit.chain.state.calls.slice(reads)).toEqual([])
  })

  it('error: rate_limited for the proofs of many wallets from one address, and none is bound', async () => {
    const kit = setUp()
    kit.deps.rateLimiter = makeMemoryRateLimiter(kit.clock.now)
    const statuses: number[] = []
    for (let count = 0; count < 62; count += 1) {
      const challenge = await kit.send('/api/inference/none')
      const proof = await kit.proofFor(
        challenge,
        privateKeyToAccount(generatePrivateKey()),
        `${TEST_ORIGIN}/api/inference`,
      )
      statuses.push((await kit.post(BODY, proof)).status)
    }
    expect(statuses.filter((status) => status === 402)).toHaveLength(60)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('a payment in the journal, sent without a proof that is good for it', () => {
  it.each([
    ['a body that is not valid', { ...BODY, input: {} }, false, 400],
    ['an error while the answer is written', BODY, true, 500],
  ])('error: a stranger with what is public gets no key to the record by %s', async (_, body, fails, status) => {
    const kit = setUp(true)
    const payment = await kit.paymentFor(await kit.post(BODY))
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    expect((await kit.post(BODY, payment)).status).toBe(200)
    const { extensions } = kit.requiredOf(await kit.post(BODY))
    if (fails) kit.facilitator.supportedNetworks = () => Promise.reject(new Error('a fault'))
    const answer = await kit.post(body, { 'Payment-Signature': encodeHeader({ ...decoded, extensions }) })
    expect([answer.status, answer.body.statusUrl, answer.headers.get('Location')]).toEqual([status, undefined, null])
    expect(answer.headers.get('Payment-Response')).toBeNull()
  })

  it('error: nonce_used says that the payment is settled', async () => {
    const { post, proofFor, paymentFor } = setUp()
    const [first, second] = [await post(BODY), await post(BODY)]
    const [payment, used] = [await paymentFor(first), await proofFor(second)]
    expect((await post(BODY, { ...payment, ...(await proofFor(first)) })).status).toBe(200)
    expect((await post(BODY, { ...(await paymentFor(second)), ...used })).status).toBe(200)
    const answer = await post(BODY, { ...payment, ...used })
    expect(answer).toMatchObject({ status: 401, body: { code: 'nonce_used', paymentState: 'settled' } })
  })

  it.each([
    ['an input that is not valid', { ...BODY, input: {} }, 400],
    ['an unknown model', { ...BODY, model: 'no/such' }, 404],
  ])('error: with %s the answer says that the payment is settled', async (_, body, status) => {
    const { post, requiredOf, proofFor, paymentFor } = setUp()
    const first = await post(BODY)
    const payment = await paymentFor(first)
    expect((await post(BODY, { ...payment, ...(await proofFor(first)) })).status).toBe(200)
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    const other = requiredOf(await post(BODY)).extensions
    for (const extensions of [{}, other]) {
      const answer = await post(body, { 'Payment-Signature': encodeHeader({ ...decoded, extensions }) })
      expect(answer).toMatchObject({ status, body: { paymentState: 'settled' } })
    }
  })
})
