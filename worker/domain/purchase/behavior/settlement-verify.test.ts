import { describe, expect, it } from 'vitest'
import { requests, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import {
  hang,
  json,
  page,
  type Reply,
  rejected,
  reset,
  served,
  setChain,
  unknown,
  useFacilitator,
  valid,
} from '../../../../test/helpers/scripted-facilitator.ts'

const { openWith } = useFacilitator()

const invalid = (invalidReason: string, status = 200): Reply => json({ isValid: false, invalidReason }, status)
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
