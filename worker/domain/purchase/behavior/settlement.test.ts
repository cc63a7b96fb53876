import { describe, expect, it } from 'vitest'
import { BASE_SEPOLIA, makeTestConfig, SEPOLIA } from '../../../../test/helpers/config.ts'
import { requests, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import {
  HASH,
  hang,
  json,
  page,
  type Reply,
  rejected,
  reset,
  served,
  setChain,
  settled,
  unknown,
  useFacilitator,
} from '../../../../test/helpers/scripted-facilitator.ts'
import { decodeHeader } from '../../../../test/helpers/sign-payment.ts'

const { openWith } = useFacilitator()

const refused = (errorReason: string, more: Record<string, unknown> = {}, status = 200): Reply =>
  json({ success: false, errorReason, transaction: '', network: 'eip155:84532', ...more }, status)

describe('the faults of /settle', () => {
  const once = { verify: 1, settle: 1, create: 0 }
  const rows: [fault: string, reply: Reply, answer: object, sent: object][] = [
    ['says yes', settled(), served, { ...once, create: 1 }],
    ['says yes and names our payer in another case', settled({ payer: undefined }), served, { ...once, create: 1 }],
    ['says no under 200', refused('insufficient_funds'), rejected, once],
    ['says no under 400', refused('invalid_exact_evm_transaction_failed', {}, 400), rejected, once],
    ['says no without a reason', refused(''), unknown, once],
    ['says no, pending, with a hash', refused('settlement_pending', { transaction: HASH }), unknown, once],
    ['says no, pending, without a hash', refused('settlement_pending'), unknown, once],
    ['says no with a hash', refused('insufficient_funds', { transaction: HASH }), unknown, once],
    ['says timed out', refused('settle_exact_evm_transaction_confirmation_timed_out'), unknown, once],
    ['says duplicate', refused('duplicate_settlement'), unknown, once],
    ['says nonce used', refused('invalid_exact_evm_nonce_already_used'), unknown, once],
    ['says unexpected', refused('unexpected_settle_error'), unknown, once],
    ['says yes without a hash', settled({ transaction: '' }), unknown, once],
    ['says yes with half a hash', settled({ transaction: HASH.slice(0, 40) }), unknown, once],
    ['says yes without a network', settled({ network: undefined }), unknown, once],
    ['says yes on another network', settled({ network: 'eip155:1' }), unknown, once],
    ['says yes for another payer', settled({ payer: `0x${'99'.repeat(20)}` }), unknown, once],
    ['answers 429', json({ error: 'slow down' }, 429), unknown, once],
    ['answers 500 with a page', page(500), unknown, once],
    ['answers 500 with a yes', json({ success: true, transaction: HASH, network: 'eip155:84532' }, 500), unknown, once],
    ['answers 504', page(504), unknown, once],
    ['answers 200 with a page', page(200), unknown, once],
    ['hangs', hang, unknown, once],
    ['resets the connection', reset, unknown, once],
  ]
  it.each(rows)('behavior: it %s', async (_fault, settle, answer, sent) => {
    const { buyer, header, sent: seen } = await openWith({ settle })
    const got = await buyer.answer(requests.text, header)
    expect(verdictOf(got)).toEqual(answer)
    expect(seen()).toEqual(sent)
    expect(got.headers.has('Payment-Required')).toBe(got.status === 402)
    if (got.status === 503) expect(got.body.statusUrl).toMatch(/^\/api\/inference\/[0-9a-f-]{36}$/)
  })

  it('default: a no carries the reason, a fresh quote and a Payment-Response without success', async () => {
    const { buyer, header } = await openWith({ settle: refused('insufficient_funds') })
    const { headers, body } = await buyer.answer(requests.text, header)
    expect(body['error']).toBe('insufficient_funds')
    expect(decodeHeader(headers.get('Payment-Required'))).toMatchObject({ error: 'insufficient_funds' })
    expect(decodeHeader(headers.get('Payment-Response'))).toEqual({
      success: false,
      errorReason: 'insufficient_funds',
      payer: buyer.account.address,
      transaction: '',
      network: 'eip155:84532',
    })
  })

  it('behavior: a no to a payment on the second network names that network', async () => {
    const config = makeTestConfig({ networks: [BASE_SEPOLIA, SEPOLIA] })
    const { buyer } = await openWith({ settle: refused('insufficient_funds', { network: SEPOLIA.network }) }, config)
    const required = await buyer.quote(requests.text)
    const { headers } = await buyer.answer(requests.text, await buyer.sign(required, {}, required.accepts[1]))
    expect(decodeHeader(headers.get('Payment-Response'))).toMatchObject({ success: false, network: SEPOLIA.network })
  })

  it.each(['paid', 'down'] as const)('behavior: a no counts for nothing while the chain is %s', async (chain) => {
    const { service, buyer, header, sent } = await openWith({ settle: refused('insufficient_funds') })
    setChain(service, chain)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    expect(sent()).toEqual(once)
  })
})

describe('the same payment after an unknown settlement', () => {
  const rows: [chain: Parameters<typeof setChain>[1], answer: object, sent: object][] = [
    ['paid', served, { verify: 1, settle: 1, create: 1 }],
    ['cancelled', rejected, { verify: 1, settle: 1, create: 0 }],
    ['elsewhere', rejected, { verify: 1, settle: 1, create: 0 }],
    ['spent before', rejected, { verify: 1, settle: 1, create: 0 }],
    ['expired', rejected, { verify: 1, settle: 1, create: 0 }],
    ['down', unknown, { verify: 1, settle: 1, create: 0 }],
    ['unspent', unknown, { verify: 1, settle: 2, create: 0 }],
  ]
  it.each(rows)('behavior: the chain says %s', async (chain, answer, sent) => {
    const { service, buyer, header, sent: seen } = await openWith({ settle: hang })
    await buyer.answer(requests.text, header)
    setChain(service, chain)
    const again = await buyer.answer(requests.text, header)
    expect(verdictOf(again)).toEqual(answer)
    expect(seen()).toEqual(sent)
    expect(again.headers.has('Payment-Required')).toBe(again.status === 402)
  })

  it('behavior: a no to the second try proves nothing about the first', async () => {
    const { service, buyer, header, script, sent } = await openWith({ settle: hang })
    await buyer.answer(requests.text, header)
    script.settle = refused('invalid_exact_evm_payload_authorization_valid_before')
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    setChain(service, 'paid')
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(sent()).toEqual({ verify: 1, settle: 2, create: 1 })
  })

  it('behavior: less than 10 s of validity left, nothing is sent again', async () => {
    const { service, buyer, header, sent } = await openWith({ settle: hang })
    await buyer.answer(requests.text, header)
    service.clock.advance(51_000)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    expect(sent()).toEqual({ verify: 1, settle: 1, create: 0 })
  })

  it('behavior: the worker’s clock alone expires nothing', async () => {
    const { service, buyer, header } = await openWith({ settle: hang })
    await buyer.answer(requests.text, header)
    const minedAt = service.clock.now()
    service.chain.state.script.authorizationStatus = async () => ({ spent: false, blockTime: minedAt })
    service.clock.advance(3_600_000)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
  })

  it('behavior: only the buyer’s call sends it again', async () => {
    const { service, buyer, header, sent } = await openWith({ settle: hang })
    const { body } = await buyer.answer(requests.text, header)
    service.clock.advance(30_000)
    await service.tick()
    await buyer.status(String(body.statusUrl).split('/').at(-1) ?? '')
    expect(sent()).toEqual({ verify: 1, settle: 1, create: 0 })
  })
})
