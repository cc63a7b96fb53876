import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { makeTestConfig, SEPOLIA } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import type { SignOverrides } from '../../../../test/helpers/sign-payment.ts'
import { decodeHeader, encodeHeader } from '../../../../test/helpers/sign-payment.ts'

const db = useDatabase()

const NOW = Date.parse('2026-11-27T12:00:00.000Z') / 1000
const STRANGER = '0x000000000000000000000000000000000000bEEF'
const nothing = { verify: 0, settle: 0, create: 0, put: 0 }
const served = { status: 200 }
const rejected = { status: 402, code: 'payment_rejected', paymentState: 'unused', nextAction: 'sign_new_payment' }
const stale = { status: 402, code: 'quote_expired', paymentState: 'unused', nextAction: 'sign_new_payment' }
const fixRequest = (status: number, code: string) => ({
  status,
  code,
  paymentState: 'unused',
  nextAction: 'fix_request',
})

async function expectNothingKept(service: Service): Promise<void> {
  expect(service.calls()).toEqual(nothing)
  const [row] = await db.database.run(sql`select (select count(*)::int from payments) as payments,
    (select count(*)::int from inferences) as inferences, (select count(*)::int from paid_rates) as rates`)
  expect(row).toEqual({ payments: 0, inferences: 0, rates: 0 })
}

describe('a payment that does not fit', () => {
  const rows: [what: string, overrides: SignOverrides, answer: object][] = [
    ['less than the price', { value: '2999' }, rejected],
    ['more than the price', { value: '3001' }, rejected],
    ['nothing', { value: '0' }, rejected],
    ['another claim of the amount', { accepted: { amount: '1' } }, rejected],
    ['another payee', { to: STRANGER }, rejected],
    ['another claim of the payee', { accepted: { payTo: STRANGER } }, rejected],
    ['another asset', { accepted: { asset: STRANGER } }, rejected],
    ['another network', { accepted: { network: 'eip155:1' } }, rejected],
    ['another scheme', { accepted: { scheme: 'upto' } }, rejected],
    ['5 s of validity left', { validBefore: String(NOW + 5) }, rejected],
    ['a validity that is over', { validBefore: String(NOW - 1) }, rejected],
    ['901 s of validity left', { validBefore: String(NOW + 901) }, rejected],
    ['a validity to the year 2100', { validBefore: '4102444800' }, rejected],
    ['a validity that has not begun', { validAfter: String(NOW + 1) }, rejected],
    ['a signature for another domain name', { domain: { name: 'USD Coin' } }, rejected],
    ['a signature for another domain version', { domain: { version: '1' } }, rejected],
    ['a signature for another chain', { domain: { chainId: 1 } }, rejected],
    ['a signature for another token', { domain: { verifyingContract: STRANGER } }, rejected],
    ['a signature of 65 zero bytes', { signature: `0x${'00'.repeat(65)}` }, rejected],
    ['6 s of validity left', { validBefore: String(NOW + 6) }, served],
    ['900 s of validity left', { validBefore: String(NOW + 900) }, served],
    ['a validity that begins now', { validAfter: String(NOW) }, rejected],
    ['a validity that began a second ago', { validAfter: String(NOW - 1) }, served],
    ['a validity that began ten minutes ago', { validAfter: String(NOW - 600) }, served],
  ]
  it.each(rows)('error: %s', async (_what, overrides, answer) => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text, overrides)
    const got = await buyer.answer(requests.text, header)
    expect(verdictOf(got)).toEqual(answer)
    if (answer !== served) {
      await expectNothingKept(service)
      expect(decodeHeader(got.headers.get('Payment-Required'))).toMatchObject({ x402Version: 2 })
    }
  })

  it('error: payer_mismatch for a payment of another wallet', async () => {
    const service = openService(db.database)
    const [buyer, other] = [await service.openBuyer(), await service.openBuyer()]
    const header = await other.signedPayment(requests.text)
    expect(verdictOf(await buyer.answer(requests.text, header))).toMatchObject({ status: 403, code: 'payer_mismatch' })
    await expectNothingKept(service)
  })

  it.each([
    ['no bytes', '0x'],
    ['64 bytes', `0x${'11'.repeat(64)}`],
    ['66 bytes', `0x${'11'.repeat(66)}`],
    ['4 KiB', `0x${'11'.repeat(4096)}`],
  ] as const)('error: a signature of %s from a payer without code, and nothing is sent', async (_length, signature) => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const got = await buyer.answer(requests.text, await buyer.signedPayment(requests.text, { signature }))
    expect(verdictOf(got)).toEqual(rejected)
    expect(got.body['error']).toBe('invalid_exact_evm_signature')
    await expectNothingKept(service)
  })

  it('error: G5 refused payments of one wallet read its code once, with a cookie too', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const signature = `0x${'11'.repeat(65)}` as const
    for (let count = 0; count < 12; count += 1) {
      await buyer.answer(requests.text, await buyer.signedPayment(requests.text, { signature }))
    }
    expect(service.chain.state.calls.filter((name) => name === 'hasCode')).toHaveLength(1)
    await expectNothingKept(service)
  })

  it.each([
    ['of a payer with code', `0x${'11'.repeat(66)}`, true],
    ['that ends as ERC-6492 says', `0x${'11'.repeat(66)}${'6492'.repeat(16)}`, false],
  ] as const)('behavior: a signature of another length %s goes to /verify', async (_what, signature, hasCode) => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    if (hasCode) service.chain.state.code.add(buyer.account.address.toLowerCase())
    const header = await buyer.signedPayment(requests.text, { signature })
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(service.calls().verify).toBe(1)
  })

  it('error: a validity that begins now is called that', async () => {
    const buyer = await openService(db.database).openBuyer()
    const got = await buyer.answer(requests.text, await buyer.signedPayment(requests.text, { validAfter: String(NOW) }))
    expect(got.body['error']).toBe('invalid_exact_evm_payload_authorization_valid_after')
  })

  it('error: payment_required names the right header when the payment came as X-PAYMENT', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const init = { method: 'POST', body: JSON.stringify(requests.text), headers: { 'X-PAYMENT': header } }
    const got = await service.read(await buyer.call('/api/inference', init))
    expect(verdictOf(got)).toMatchObject({ status: 402, code: 'payment_required' })
    expect(got.body['detail']).toContain('Payment-Signature')
    expect(decodeHeader(got.headers.get('Payment-Required'))).toMatchObject({
      error: expect.stringContaining('Payment-Signature'),
    })
  })

  it('behavior: v 0 and 1 are put right, a high s is refused', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const parts = async () => {
      const payment = decodeHeader(await buyer.signedPayment(requests.text)) as { payload: { signature: string } }
      return { payment, signature: payment.payload.signature }
    }
    const low = await parts()
    low.payment.payload.signature = `${low.signature.slice(0, 130)}${low.signature.endsWith('1b') ? '00' : '01'}`
    expect(verdictOf(await buyer.answer(requests.text, encodeHeader(low.payment)))).toEqual(served)
    expect(service.facilitator.state.verified[0]?.payload.payload.signature).toBe(low.signature)
    const high = await parts()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const twin = (order - BigInt(`0x${high.signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
    high.payment.payload.signature = `${high.signature.slice(0, 66)}${twin}${high.signature.endsWith('1b') ? '1c' : '1b'}`
    expect(verdictOf(await buyer.answer(requests.text, encodeHeader(high.payment)))).toEqual(rejected)
  })
})

describe('a request that cannot be sold', () => {
  const text = requests.text
  const rows: [what: string, body: unknown, answer: object][] = [
    ['an unknown model', { ...text, model: 'nobody/nothing' }, fixRequest(404, 'model_not_found')],
    ['a model that does another task', { ...text, task: 'text-to-image' }, fixRequest(400, 'invalid_request')],
    ['an unknown task', { ...text, task: 'text-to-video' }, fixRequest(400, 'invalid_request')],
    ['a NUL in the prompt', { ...text, input: { prompt: 'a\u0000b' } }, fixRequest(400, 'invalid_request')],
    ['a lone surrogate in the prompt', { ...text, input: { prompt: 'a\ud800' } }, fixRequest(400, 'invalid_request')],
    ['a prompt of blanks', { ...text, input: { prompt: '   ' } }, fixRequest(400, 'invalid_request')],
    ['18,001 characters', { ...text, input: { prompt: 'a'.repeat(18_001) } }, fixRequest(400, 'invalid_request')],
    ['an unknown input', { ...text, input: { prompt: 'a', image: 'x' } }, fixRequest(400, 'invalid_request')],
    ['an unknown member', { ...text, callback: 'x' }, fixRequest(400, 'invalid_request')],
    ['no input', { task: text.task, model: text.model }, fixRequest(400, 'invalid_request')],
  ]
  it.each(rows)('error: %s', async (_what, body, answer) => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    expect(verdictOf(await buyer.answer(body, header))).toEqual(answer)
    await expectNothingKept(service)
  })

  it('error: payload_too_large over 64 KiB', async () => {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const body = JSON.stringify({ ...text, input: { prompt: 'a' }, padding: 'x'.repeat(65_536) })
    expect(verdictOf(await buyer.answer(body, header))).toMatchObject({ status: 413, code: 'payload_too_large' })
    await expectNothingKept(service)
  })
})

describe('the quote of a payment', () => {
  /** A run of 6 s is the only one so far: the price of a text is 0.006 instead of 0.003. */
  const raisePrice = () =>
    db.database.run(sql`insert into model_sum_parts (model, part, succeeded, timed, predict_time_ms)
      values (${requests.text.model}, 0, 1, 1, 6000)`)

  async function open() {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    return { service, buyer, required: await buyer.quote(requests.text) }
  }
  const expire = (service: Service): void => service.clock.advance(600_000)

  it('behavior: a price that moved between the two calls breaks nothing', async () => {
    const { service, buyer, required } = await open()
    await raisePrice()
    service.clock.advance(120_000)
    // The sums are read again beside a call.
    await expect.poll(async () => (await buyer.quote(requests.text)).accepts[0]?.amount).toBe('6000')
    expect(verdictOf(await buyer.answer(requests.text, await buyer.sign(required)))).toEqual(served)
  })

  it.each([
    ['missing', undefined],
    ['forged', { quote: { info: { token: 'eyJ2IjoxfQ.AAAA', expiresAt: '' }, schema: {} } }],
    ['of another shape', { quote: 'x' }],
  ])('behavior: one that is %s is served at the present price, refused at another', async (_what, extensions) => {
    const { buyer, required } = await open()
    expect(verdictOf(await buyer.answer(requests.text, await buyer.sign(required, { extensions })))).toEqual(served)
    const wrong = await buyer.sign(required, { extensions, value: '2999', accepted: { amount: '2999' } })
    const answer = await buyer.answer(requests.text, wrong)
    expect(verdictOf(answer)).toEqual(stale)
    expect(decodeHeader(answer.headers.get('Payment-Required'))).toMatchObject({
      accepts: [{ amount: expect.any(String) }],
    })
  })

  it('behavior: an expired one is served at the same price, refused at another price', async () => {
    const { service, buyer, required } = await open()
    expire(service)
    expect(verdictOf(await buyer.answer(requests.text, await buyer.sign(required)))).toEqual(served)
    await db.reset()
    await raisePrice()
    const again = openService(db.database)
    const other = await again.openBuyer()
    expire(again)
    expect(verdictOf(await other.answer(requests.text, await other.sign(required)))).toEqual(stale)
    expect(again.calls()).toEqual(nothing)
  })

  it('behavior: one for another body counts for nothing', async () => {
    const { service, buyer } = await open()
    const header = await buyer.signedPayment(requests.image)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(stale)
    await expectNothingKept(service)
  })

  it('behavior: another wallet’s counts for nothing', async () => {
    const { service, required } = await open()
    await raisePrice()
    const other = await service.openBuyer()
    service.clock.advance(60_000)
    await other.quote(requests.text)
    expect(verdictOf(await other.answer(requests.text, await other.sign(required)))).toEqual(stale)
  })
})

describe('a contract wallet', () => {
  const config = makeTestConfig({ networks: [makeTestConfig().networks[0], SEPOLIA] })
  const signature = `0x${'12'.repeat(120)}` as const
  const privateKey = `0x${'5a'.repeat(32)}` as const

  async function open(chainId: number) {
    const service = openService(db.database, { config })
    const buyer = await service.openBuyer({ chainId, privateKey })
    service.chain.state.code.add(buyer.account.address.toLowerCase())
    return { service, buyer, required: await buyer.quote(requests.text) }
  }

  it('behavior: its signature is passed on unchanged; its record is for its chain’s sessions', async () => {
    const { service, buyer, required } = await open(84532)
    const header = await buyer.sign(required, { signature })
    const answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toEqual(served)
    expect(service.facilitator.state.settled[0]?.payload.payload.signature).toBe(signature)
    const elsewhere = await service.openBuyer({ chainId: SEPOLIA.chainId, privateKey })
    expect(verdictOf(await elsewhere.answer(requests.text, header))).toMatchObject({ code: 'payer_mismatch' })
    expect((await elsewhere.status(String(answer.body.id))).status).toBe(404)
  })

  it('error: payer_mismatch on another chain than the session’s', async () => {
    const { service, buyer, required } = await open(SEPOLIA.chainId)
    const elsewhere = required.accepts.find(({ network }) => network === 'eip155:84532')
    const header = await buyer.sign(required, { signature }, elsewhere)
    expect(verdictOf(await buyer.answer(requests.text, header))).toMatchObject({ status: 403, code: 'payer_mismatch' })
    await expectNothingKept(service)
  })

  it('behavior: while the code cannot be read, /verify decides', async () => {
    const { service, buyer, required } = await open(84532)
    service.chain.state.down = true
    service.facilitator.state.verifies = async () => ({ kind: 'invalid', reason: 'invalid_exact_evm_signature' })
    const header = await buyer.sign(required, { signature: `0x${'13'.repeat(65)}` })
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(rejected)
    expect(service.calls()).toMatchObject({ verify: 1, settle: 0 })
  })

  it('error: invalid_payment_header for a signature over 4 KiB', async () => {
    const { service, buyer, required } = await open(84532)
    const header = await buyer.sign(required, { signature: `0x${'12'.repeat(4097)}` })
    expect(verdictOf(await buyer.answer(requests.text, header))).toMatchObject({ code: 'invalid_payment_header' })
    await expectNothingKept(service)
  })
})
