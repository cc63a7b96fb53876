import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Arrow } from '../helpers/arrows.ts'
import { type ProxiedStack, startProxiedStack } from '../helpers/proxied-stack.ts'
import { type Fault, faults } from '../helpers/proxy.ts'
import { openScenario, type Scenario, type Verdict } from '../helpers/scenario.ts'
import { makeOutsider } from '../helpers/token.ts'

/** Separate buyers for stories that empty a wallet. */
const BUYERS = 12

let stack: ProxiedStack
let outsider: ReturnType<typeof makeOutsider>
beforeAll(async () => {
  stack = await startProxiedStack({ buyers: BUYERS, shell: { MIN_CONFIRMATIONS: '2' } })
  outsider = makeOutsider(stack)
})
afterAll(() => stack?.stop())

let next = 0
/** A payment that lives long enough to be sent again after a slow fault. */
async function open(): Promise<Scenario> {
  const buyer = await stack.signedIn(next++ % (BUYERS - 3))
  return openScenario(stack, buyer, { validBefore: String(Math.floor(Date.now() / 1000) + 120) })
}

const served: Verdict = { status: 200 }
const unknown: Verdict = {
  status: 503,
  code: 'settlement_unknown',
  paymentState: 'unknown',
  nextAction: 'retry_same_payment',
}
const unavailable: Verdict = {
  status: 503,
  code: 'facilitator_unavailable',
  paymentState: 'unused',
  nextAction: 'retry_same_payment',
}
const rejected: Verdict = {
  status: 402,
  code: 'payment_rejected',
  paymentState: 'unused',
  nextAction: 'sign_new_payment',
}
/** A new block has too few confirmations yet. */
const untilDeep = { timeout: 60_000, interval: 500 }
const once = { transfers: 1, predictions: 1 }
const nothing = { transfers: 0, predictions: 0 }

const settleSays = (body: object, forward: boolean): Fault & { kind: 'answer' } =>
  faults.json({ transaction: '', network: 'eip155:31337', ...body }, { forward })

type Row = [
  fault: string,
  arrow: Arrow,
  spoilt: Exclude<Fault, { kind: 'hold' }>,
  first: Verdict,
  again: Verdict,
  calls: { verify: number; settle: number },
]
const rows: Row[] = [
  ['/settle settles and its answer is lost', 'settle', faults.cut(), unknown, served, { verify: 1, settle: 1 }],
  ['/settle settles and answers 500', 'settle', faults.error(500, true), unknown, served, { verify: 1, settle: 1 }],
  ['/settle settles and answers 504', 'settle', faults.error(504, true), unknown, served, { verify: 1, settle: 1 }],
  ['/settle answers 500 and settles nothing', 'settle', faults.error(500), unknown, served, { verify: 1, settle: 2 }],
  ['/settle answers 200 with a page', 'settle', faults.error(200), unknown, served, { verify: 1, settle: 2 }],
  ['/settle drops the call', 'settle', faults.cut(false), unknown, served, { verify: 1, settle: 2 }],
  [
    '/settle says yes without a hash',
    'settle',
    settleSays({ success: true }, false),
    unknown,
    served,
    { verify: 1, settle: 2 },
  ],
  [
    '/settle settles and says pending',
    'settle',
    settleSays({ success: false, errorReason: 'settlement_pending' }, true),
    unknown,
    served,
    { verify: 1, settle: 1 },
  ],
  [
    '/settle settles and says no',
    'settle',
    settleSays({ success: false, errorReason: 'insufficient_funds' }, true),
    unknown,
    served,
    { verify: 1, settle: 1 },
  ],
  [
    '/settle says no and settles nothing',
    'settle',
    settleSays({ success: false, errorReason: 'insufficient_funds' }, false),
    rejected,
    served,
    { verify: 2, settle: 2 },
  ],
  ['/verify answers 500', 'verify', faults.error(500), unavailable, served, { verify: 2, settle: 1 }],
  ['/verify answers a page', 'verify', faults.error(200), unavailable, served, { verify: 2, settle: 1 }],
  ['/verify does not answer', 'verify', faults.silence(), unavailable, served, { verify: 2, settle: 1 }],
  [
    '/verify calls a good signature bad',
    'verify',
    faults.json({ isValid: false, invalidReason: 'invalid_exact_evm_signature' }),
    unavailable,
    served,
    { verify: 2, settle: 1 },
  ],
  [
    '/verify says no',
    'verify',
    faults.json({ isValid: false, invalidReason: 'insufficient_funds' }),
    rejected,
    served,
    { verify: 2, settle: 1 },
  ],
  [
    '/verify calls an unspent nonce used',
    'verify',
    faults.json({ isValid: false, invalidReason: 'invalid_exact_evm_nonce_already_used' }),
    served,
    served,
    { verify: 1, settle: 1 },
  ],
]

describe('the facilitator fails a payment', () => {
  it.concurrent.for([
    ['settles', true, 1],
    ['settles nothing', false, 2],
  ] as const)('behavior: /settle hangs for 30 s and %s', async ([, forward, settle], { expect }) => {
    const scenario = await open()
    scenario.spoil('settle', faults.silence(forward))
    expect(await scenario.send()).toEqual(unknown)
    await expect.poll(() => scenario.send(), untilDeep).toEqual(served)
    expect(await scenario.counts()).toEqual({ ...once, verify: 1, settle })
  })

  it.concurrent.for(rows)('behavior: %s', async ([, arrow, spoilt, first, again, calls], { expect }) => {
    const scenario = await open()
    scenario.spoil(arrow, spoilt)
    expect(await scenario.send()).toEqual(first)
    if (first.status !== 200) expect(await scenario.counts()).toMatchObject({ predictions: 0 })
    if (first === unknown) expect(scenario.last().headers.has('Payment-Required')).toBe(false)
    await expect.poll(() => scenario.send(), untilDeep).toEqual(again)
    expect(await scenario.counts()).toEqual({ ...once, ...calls })
    const body = JSON.stringify(scenario.last().body)
    expect(await scenario.send()).toEqual(again)
    expect(JSON.stringify(scenario.last().body)).toBe(body)
  })

  it.concurrent('behavior: the RPC fails while the receipt is read', async ({ expect }) => {
    const scenario = await open()
    scenario.spoil('receipt', faults.error(502), 5)
    expect(await scenario.send()).toEqual(served)
    expect(await scenario.counts()).toEqual({ ...once, verify: 1, settle: 1 })
  })
})

describe('others act between /verify and /settle', () => {
  /** Runs `act` when the payment is verified and `/settle` is on its way. */
  async function between(scenario: Scenario, act: () => Promise<unknown>): Promise<Verdict> {
    const hold = scenario.hold('settle', 'request')
    const answer = scenario.send()
    await hold.reached
    await act()
    hold.release()
    return answer
  }

  it.concurrent('behavior: another account submits the same authorization: it counts as the payment', async ({
    expect,
  }) => {
    const scenario = await open()
    const submitted: string[] = []
    const first = await between(scenario, async () => submitted.push(await outsider.submit(scenario.header)))
    expect([served, unknown]).toContainEqual(first)
    await expect.poll(() => scenario.send(), untilDeep).toEqual(served)
    expect(scenario.last().receipt).toMatchObject({ success: true, transaction: submitted[0] })
    expect(await scenario.counts()).toMatchObject(once)
  })

  it.concurrent('behavior: the payer cancels: not paid, not run', async ({ expect }) => {
    const scenario = await open()
    const cancel = () => outsider.cancel(scenario.buyer.account, scenario.header)
    expect(await between(scenario, cancel)).toEqual(unknown)
    expect(await scenario.send()).toEqual(rejected)
    expect(scenario.last().body['error']).toBe('authorization_cancelled')
    expect(await scenario.send()).toEqual(rejected)
    expect(await scenario.counts()).toMatchObject({ ...nothing, settle: 1 })
  })

  it.concurrent('behavior: the payer empties the wallet: rejected, and never marked as settled', async ({ expect }) => {
    const buyer = await stack.signedIn(BUYERS - 1)
    const scenario = await openScenario(stack, buyer)
    expect(await between(scenario, () => outsider.drain(buyer.account))).toEqual(rejected)
    expect(scenario.last().receipt).toMatchObject({ success: false, transaction: '' })
    expect(await scenario.counts()).toEqual({ ...nothing, verify: 1, settle: 1 })
  })

  it.concurrent('behavior: the wallet is empty before: /verify refuses, nothing is sent', async ({ expect }) => {
    const buyer = await stack.signedIn(BUYERS - 2)
    await outsider.drain(buyer.account)
    const scenario = await openScenario(stack, buyer)
    expect(await scenario.send()).toEqual(rejected)
    expect(await scenario.counts()).toEqual({ ...nothing, verify: 1, settle: 0 })
  })

  it.concurrent('behavior: one transaction with three authorizations is three payments', async ({ expect }) => {
    const stories = await Promise.all([open(), open(), open()])
    const holds = stories.map((scenario) => scenario.hold('settle', 'request'))
    const answers = stories.map((scenario) => scenario.send())
    await Promise.all(holds.map(({ reached }) => reached))
    const transaction = await outsider.submitTogether(stories.map(({ header }) => header))
    for (const hold of holds) hold.release()
    for (const first of await Promise.all(answers)) expect([served, unknown]).toContainEqual(first)
    for (const scenario of stories) {
      await expect.poll(() => scenario.send(), untilDeep).toEqual(served)
      expect(scenario.last().receipt).toMatchObject({ success: true, transaction })
      expect(scenario.last().body).toMatchObject({ metrics: { paymentTxHash: transaction } })
      expect(await scenario.counts()).toMatchObject(once)
    }
    const stored = (await Promise.all(stories.map((scenario) => scenario.journal()))).map((row) =>
      String(row?.['tx_hash']),
    )
    expect(new Set(stored).size).toBe(3)
    for (const hash of stored) expect(hash).toMatch(new RegExp(`^${transaction}(#\\d+)?$`))
    expect(stored.filter((hash) => hash === transaction).length).toBe(1)
  })
})

describe('a slow chain', () => {
  /** From here on a block is mined only when a test asks for it. */
  async function stopMining(): Promise<void> {
    await outsider.rpc('evm_setAutomine', false)
    await outsider.rpc('evm_setIntervalMining', 0)
  }
  afterEach(async () => {
    await outsider.rpc('evm_setAutomine', true)
    await outsider.rpc('evm_setIntervalMining', 1)
  })
  const poll = { interval: 100 }

  it('behavior: the run starts once the receipt has the required confirmations', async () => {
    const scenario = await open()
    await stopMining()
    const answer = scenario.send()
    await expect.poll(() => outsider.pending(), poll).toBe(1)
    await outsider.rpc('evm_mine')
    const isReceipt = scenario.trace.match('receipt').match
    const seen = () =>
      stack.via.rpc.count((call) => isReceipt(call) && /"status":\s*"0x1"/.test(call.answer?.body ?? ''))
    await expect.poll(seen, poll).toBeGreaterThan(2)
    expect(await scenario.counts()).toMatchObject({ transfers: 1, predictions: 0 })
    await outsider.rpc('evm_mine')
    expect(await answer).toEqual(served)
    expect(await scenario.counts()).toEqual({ ...once, verify: 1, settle: 1 })
  })

  it('behavior: an authorization expires by the time of a block, not by the local clock', async () => {
    const buyer = await stack.signedIn(0)
    await stopMining()
    const validBefore = Math.floor(Date.now() / 1000) + 20
    const scenario = await openScenario(stack, buyer, { validBefore: String(validBefore) })
    scenario.spoil('settle', faults.error(500))
    expect(await scenario.send()).toEqual(unknown)
    // The authorization is good for 20 s more, less what the calls above took.
    await expect.poll(() => Date.now() / 1000, { ...poll, timeout: 40_000 }).toBeGreaterThan(validBefore)
    expect(await outsider.blockTime()).toBeLessThan(validBefore)
    expect(await scenario.send()).toEqual(unknown)
    await outsider.rpc('evm_mine', { timestamp: validBefore })
    expect(await scenario.send()).toEqual(rejected)
    expect(scenario.last().body['error']).toBe('authorization_lapsed')
    expect(await scenario.counts()).toEqual({ ...nothing, verify: 1, settle: 1 })
  })
})
