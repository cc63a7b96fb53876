import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { BASE_SEPOLIA, makeTestConfig, SEPOLIA } from '../../test/helpers/config.ts'
import { useDatabase } from '../../test/helpers/in-process-database.ts'
import { openService, requests, type Service, verdictOf } from '../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../test/helpers/sign-payment.ts'
import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import { makeHttpFacilitator } from '../payments/http-facilitator.ts'

const db = useDatabase()

type Reply = () => Response

const json =
  (body: unknown, status = 200): Reply =>
  () =>
    Response.json(body, { status })
const page =
  (status: number): Reply =>
  () =>
    new Response('<html>Bad gateway</html>', { status })
const hang: Reply = () => {
  throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
}
const reset: Reply = () => {
  throw new TypeError('fetch failed')
}

const HASH = `0x${'ab'.repeat(32)}` as const
const valid = json({ isValid: true })
const invalid = (invalidReason: string, status = 200): Reply => json({ isValid: false, invalidReason }, status)
const settled = (more: Record<string, unknown> = {}): Reply =>
  json({ success: true, transaction: HASH, network: 'eip155:84532', ...more })
const refused = (errorReason: string, more: Record<string, unknown> = {}, status = 200): Reply =>
  json({ success: false, errorReason, transaction: '', network: 'eip155:84532', ...more }, status)

type Outcome = Awaited<ReturnType<Chain['authorizationOutcome']>>

/** What the chain says, by one word: of the nonce and, when it is spent, of what spent it. */
function setChain(
  service: Service,
  word: 'unspent' | 'paid' | 'cancelled' | 'spent before' | 'elsewhere' | 'expired' | 'down',
) {
  const { script } = service.chain.state
  service.chain.state.down = word === 'down'
  const now = () => service.clock.now()
  const spent = ['paid', 'cancelled', 'spent before', 'elsewhere'].includes(word)
  const blockTime = () => (word === 'expired' ? new Date(now().getTime() + 3_600_000) : now())
  script.authorizationStatus = async () => ({ spent, blockTime: blockTime() })
  const transfer = { kind: 'transferred', transaction: HASH, logIndex: 3, confirmations: 1 } as const
  const outcomes: Record<string, () => Outcome> = {
    paid: () => ({ ...transfer, blockTime: now() }),
    'spent before': () => ({ ...transfer, blockTime: new Date(now().getTime() - 3_600_000) }),
    cancelled: () => ({ kind: 'cancelled' }),
    elsewhere: () => ({ kind: 'elsewhere' }),
  }
  script.authorizationOutcome = async () => outcomes[word]?.() ?? { kind: 'not_found' }
}

/** A service whose facilitator is the real client over scripted answers, each counted. */
async function openWith(replies: { verify?: Reply; settle?: Reply }, config = makeTestConfig()) {
  const sent = { verify: 0, settle: 0 }
  const script = { verify: replies.verify ?? valid, settle: replies.settle ?? settled() }
  const facilitator = makeHttpFacilitator({
    url: 'https://facilitator.example',
    fetch: async (url) => {
      if (url.endsWith('/supported')) {
        const kinds = config.networks.map(({ network }) => ({ x402Version: 2, scheme: 'exact', network }))
        return Response.json({ kinds })
      }
      const call = url.endsWith('/verify') ? 'verify' : 'settle'
      sent[call] += 1
      return script[call]()
    },
  })
  const service = openService(db.database, { facilitator, config })
  setChain(service, 'unspent')
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  return { service, buyer, header, script, sent: () => ({ ...sent, create: service.calls().create }) }
}

const served = { status: 200 }
const rejected = { status: 402, code: 'payment_rejected', paymentState: 'unused', nextAction: 'sign_new_payment' }
const unknown = { status: 503, code: 'settlement_unknown', paymentState: 'unknown', nextAction: 'retry_same_payment' }
const unavailable = {
  status: 503,
  code: 'facilitator_unavailable',
  paymentState: 'unused',
  nextAction: 'retry_same_payment',
}

describe('the faults of /verify', () => {
  const none = { verify: 1, settle: 0, create: 0 }
  const rows: [fault: string, reply: Reply, answer: object, sent: object][] = [
    ['says yes', valid, served, { verify: 1, settle: 1, create: 1 }],
    ['says no under 200', invalid('invalid_exact_evm_insufficient_balance'), rejected, none],
    ['says no under 400', invalid('insufficient_funds', 400), rejected, none],
    ['says no to a simulation', invalid('invalid_exact_evm_transaction_simulation_failed'), rejected, none],
    ['calls a signature bad that the worker recovered', invalid('invalid_exact_evm_signature'), unavailable, none],
    ['answers 429', json({ error: 'slow down' }, 429), unavailable, none],
    ['answers 500 with a page', page(500), unavailable, none],
    ['answers 502 with a page', page(502), unavailable, none],
    ['answers 200 with a page', page(200), unavailable, none],
    ['answers without isValid', json({ ok: true }), unavailable, none],
    ['hangs', hang, unavailable, none],
    ['resets the connection', reset, unavailable, none],
  ]
  it.each(rows)('behavior: it %s', async (_fault, verify, answer, sent) => {
    const { buyer, header, sent: seen } = await openWith({ verify })
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(answer)
    expect(seen()).toEqual(sent)
  })

  it('behavior: after an outage the same payment is verified, settled and served', async () => {
    const { service, buyer, header, script, sent } = await openWith({ verify: hang })
    await buyer.answer(requests.text, header)
    script.verify = valid
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(sent()).toEqual({ verify: 2, settle: 1, create: 1 })
    expect(
      service.log.lines.filter(({ event }) => event === 'payment.moved').map(({ fields }) => fields['to']),
    ).toEqual(['settling', 'claimed', 'settling', 'settled', 'done'])
  })

  it('behavior: a bad signature of a payer with code is a no', async () => {
    const { service, buyer, header, sent } = await openWith({ verify: invalid('invalid_exact_evm_signature') })
    service.chain.state.code.add(buyer.account.address.toLowerCase())
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(rejected)
    expect(sent()).toEqual(none)
  })

  const nonceUsed: [chain: Parameters<typeof setChain>[1], answer: object, sent: object][] = [
    ['paid', served, { verify: 1, settle: 0, create: 1 }],
    ['cancelled', rejected, none],
    ['elsewhere', rejected, none],
    ['spent before', rejected, none],
    ['down', unknown, none],
    ['expired', rejected, none],
  ]
  it.each(nonceUsed)('behavior: it calls the nonce used, and the chain says %s', async (chain, answer, sent) => {
    const {
      service,
      buyer,
      header,
      sent: seen,
    } = await openWith({
      verify: invalid('invalid_exact_evm_nonce_already_used'),
    })
    setChain(service, chain)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(answer)
    expect(seen()).toEqual(sent)
  })
})

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

describe('the receipt of a settlement', () => {
  type Transfer = NonNullable<Awaited<ReturnType<Chain['transferIn']>>>
  const transfer = (service: Service, confirmations: number): Transfer => ({
    transaction: HASH,
    logIndex: 3,
    blockTime: service.clock.now(),
    confirmations,
  })

  it('behavior: it is waited for', async () => {
    const { service, buyer, header, sent } = await openWith({})
    let looks = 0
    service.chain.state.script.transferIn = async () => {
      looks += 1
      return looks < 5 ? null : transfer(service, 1)
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(looks).toBe(5)
    expect(sent()).toEqual({ verify: 1, settle: 1, create: 1 })
  })

  const noRun = { verify: 1, settle: 1, create: 0 }
  it('behavior: one that never comes is unknown 50 s after the call', async () => {
    const { service, buyer, header, sent } = await openWith({})
    service.chain.state.script.transferIn = async () => null
    const arrivedAt = service.clock.now().getTime()
    const answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toEqual(unknown)
    expect(service.clock.now().getTime() - arrivedAt).toBe(50_000)
    expect(answer.headers.has('Payment-Response')).toBe(false)
    expect(sent()).toEqual(noRun)
  })

  it('behavior: an RPC that is down all the while makes it unknown', async () => {
    const { service, buyer, header, sent } = await openWith({})
    service.chain.state.script.transferIn = () => Promise.reject(new ChainUnavailable('down'))
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    expect(sent()).toEqual(noRun)
  })

  it.each([
    [0, 0],
    [1, 1],
    [3, 3],
  ])('behavior: with MIN_CONFIRMATIONS %i it has to be %i deep', async (minConfirmations, depth) => {
    const { service, buyer, header, sent } = await openWith({}, makeTestConfig({ minConfirmations }))
    let deepest = 0
    service.chain.state.script.transferIn = async () => {
      deepest += 1
      return transfer(service, deepest)
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(deepest).toBe(depth)
    expect(sent()).toEqual({ verify: 1, settle: 1, create: 1 })
  })

  it('behavior: a transfer found by its nonce has to be as deep', async () => {
    const { service, buyer, header } = await openWith({ settle: hang }, makeTestConfig({ minConfirmations: 3 }))
    await buyer.answer(requests.text, header)
    setChain(service, 'paid')
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    service.chain.state.script.authorizationOutcome = async () => ({ kind: 'transferred', ...transfer(service, 3) })
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
  })

  it('behavior: two payments of one transaction are two records, shown with the bare hash', async () => {
    const { service, buyer } = await openWith({})
    service.chain.state.script.transferIn = async (query) => ({
      ...transfer(service, 1),
      logIndex: Number(BigInt(query.nonce)),
    })
    const answers = []
    for (const nonce of [7, 9]) {
      const header = await buyer.signedPayment(requests.text, { nonce: `0x${String(nonce).padStart(64, '0')}` })
      answers.push(await buyer.answer(requests.text, header))
    }
    expect(answers.map(verdictOf)).toEqual([served, served])
    for (const { body } of answers) expect(body['metrics']).toMatchObject({ paymentTxHash: HASH })
    const rows = await db.database.run(sql`select payment_tx_hash as hash from inferences order by created_at, 1`)
    expect(rows.map((row) => row['hash'])).toEqual([HASH, `${HASH}#9`])
  })
})
