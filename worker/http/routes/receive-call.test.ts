import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { requests } from '../../../test/helpers/in-process-service.ts'
import { useSessionlessCaller } from '../../../test/helpers/sessionless-caller.ts'
import { decodeHeader } from '../../../test/helpers/sign-payment.ts'

const setUp = useSessionlessCaller()
const BODY = requests.text

describe('a caller without a session', () => {
  it('default: an unpaid call is 402 with the base price, an open quote and a challenge', async () => {
    const { post, requiredOf } = setUp()
    const answer = await post(BODY)
    expect(answer).toMatchObject({ status: 402, body: { code: 'payment_required', nextAction: 'sign_in' } })
    const required = requiredOf(answer)
    expect(Object.keys(required.extensions).sort()).toEqual([
      'auth-hints',
      'bazaar',
      'payment-identifier',
      'quote',
      'sign-in-with-x',
    ])
    expect(required).toMatchObject({
      accepts: [{ amount: '3000' }],
      resource: { serviceName: 'Coinslot', tags: ['ai', 'text'] },
      extensions: { 'auth-hints': { info: { authRequirements: [{ acceptIndexes: [0] }] } } },
    })
    expect(answer.headers.get('Payment-Required')?.length).toBeLessThan(6 * 1024)
    const again = requiredOf(await post(BODY))
    expect(again.extensions.quote?.info.token).not.toBe(required.extensions.quote?.info.token)
  })

  it.each([
    ['{}', '{}', 402],
    ['no body', undefined, 402],
    ['a body that is not one', '{"task":"text-to-image"}', 400],
    ['null', 'null', 400],
    ['an unknown model', '{"task":"text-to-image","model":"no/such","input":{}}', 404],
  ])('behavior: a probe with %s', async (_, body, status) => {
    const { fetch, requiredOf } = setUp()
    const init = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
    const answer = await fetch(`${TEST_ORIGIN}/api/inference`, { method: 'POST', ...init })
    expect(answer.status).toBe(status)
    if (status === 402) expect(JSON.stringify(requiredOf(answer))).toContain('"task":"text-to-image"')
  })

  it('behavior: a proof on the unpaid call, then a payment with its nonce, buys once', async () => {
    const { post, proofFor, paymentFor, calls } = setUp()
    const first = await post(BODY)
    const bound = await post(BODY, await proofFor(first))
    expect(bound).toMatchObject({ status: 402, body: { nextAction: 'sign_new_payment' } })
    const payment = await paymentFor(first)
    expect((await post(BODY, payment)).status).toBe(200)
    expect((await post(BODY, payment)).status).toBe(200)
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a payment for the answer to the proof buys too, with the bound challenge', async () => {
    const { post, proofFor, paymentFor } = setUp()
    const bound = await post(BODY, await proofFor(await post(BODY)))
    expect((await post(BODY, await paymentFor(bound))).status).toBe(200)
  })

  it('behavior: a proof beside the payment buys, once for one authorization', async () => {
    const { post, proofFor, paymentFor, calls } = setUp()
    const first = await post(BODY)
    const proof = await proofFor(first)
    const payment = await paymentFor(first)
    expect((await post(BODY, { ...payment, ...proof })).status).toBe(200)
    expect((await post(BODY, { ...payment, ...proof })).status).toBe(200)
    const other = await paymentFor(first)
    expect(await post(BODY, { ...other, ...proof })).toMatchObject({ status: 401, body: { code: 'nonce_used' } })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a paid call without a proof is 402 with a fresh challenge and no claim', async () => {
    const { post, proofFor, paymentFor, calls } = setUp()
    const payment = await paymentFor(await post(BODY))
    const refused = await post(BODY, payment)
    expect(refused).toMatchObject({ status: 402, body: { nextAction: 'sign_in', paymentState: 'unused' } })
    expect(calls()).toMatchObject({ verify: 0, settle: 0 })
    expect((await post(BODY, { ...payment, ...(await proofFor(refused)) })).status).toBe(200)
    const seen = await post(BODY, await paymentFor(await post(BODY), {}))
    expect(seen.body.paymentState).toBe('unused')
  })

  it('error: what a proof can be of something else, at a paid call', async () => {
    const { post, send, proofFor, paymentFor, account, calls } = setUp()
    const [mine, theirs] = [await post(BODY), await post(BODY)]
    const other = privateKeyToAccount(generatePrivateKey())
    const payment = await paymentFor(mine)
    const cases: [string, Record<string, string>, unknown, number, string][] = [
      ['another wallet', { ...payment, ...(await proofFor(theirs, other)) }, BODY, 403, 'payer_mismatch'],
      ['of another path', await proofFor(await send('/api/account')), BODY, 400, 'invalid_siwe_message'],
      ['not readable', { 'SIGN-IN-WITH-X': 'x' }, BODY, 400, 'invalid_siwe_message'],
    ]
    for (const [name, headers, body, status, code] of cases) {
      const answer = await post(body, headers)
      expect([name, answer.status, answer.body.code]).toEqual([name, status, code])
    }
    // Bound to one body, echoed for another.
    await post(BODY, await proofFor(mine))
    const otherBody = { ...BODY, input: { prompt: 'two words' } }
    const echo = await paymentFor(await post(otherBody), {
      extensions: z.looseObject({}).parse(decodeHeader(mine.headers.get('Payment-Required')))['extensions'],
    })
    expect(await post(otherBody, echo)).toMatchObject({ status: 402, body: { nextAction: 'sign_in' } })
    // Bound by one wallet, echoed by another.
    const stolen = await paymentFor(mine, {}, generatePrivateKey())
    expect(await post(BODY, stolen)).toMatchObject({ status: 402, body: { nextAction: 'sign_in' } })
    expect(calls()).toMatchObject({ verify: 0, settle: 0, create: 0 })
    expect(account.address).toMatch(/^0x/)
  })

  it('behavior: reads answer a program 402 with a challenge, whatever the id, and a browser 401', async () => {
    const { send, proofFor, requiredOf } = setUp()
    for (const path of ['/api/account', '/api/inferences', '/api/inference/none', '/api/inference/none/receipt']) {
      const answer = await send(path)
      expect([path, answer.status, requiredOf(answer).accepts]).toEqual([path, 402, []])
      expect((await send(path, { Origin: TEST_ORIGIN })).status).toBe(401)
      expect((await send(path, { Cookie: 'a=b' })).status).toBe(401)
      const proven = await send(path, await proofFor(answer))
      expect([path, proven.status]).toEqual([path, path.includes('none') ? 404 : 200])
    }
    expect((await send('/api/admin/payments')).status).toBe(401)
    expect((await send(`/api/inference/${'x'.repeat(4_000)}`)).status).toBe(401)
  })

  it('behavior: a bad proof is refused beside a good cookie too', async () => {
    const { openBuyer } = setUp()
    const buyer = await openBuyer()
    expect((await buyer.call('/api/account', { headers: { 'SIGN-IN-WITH-X': 'x' } })).status).toBe(400)
    expect((await buyer.call('/api/account')).status).toBe(200)
  })
})
