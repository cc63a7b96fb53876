import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type InProcessDatabase, openInProcessDatabase } from '../../test/helpers/in-process-database.ts'
import { startPostgres, type TestPostgres } from '../../test/helpers/postgres.ts'
import { bindNonce, type ClaimProof, requestKey } from './challenge-nonces.ts'
import { type ClaimRequest, claimPayment, type NewPayment } from './claim-payment.ts'

const NOW = new Date('2026-11-27T12:00:00Z')
const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000)
const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`]
const keyOf = (address = ALICE, requestHash = 'hash'): string => requestKey({ address, chainId: 84532, requestHash })

const fresh = (payer: string): NewPayment => ({
  id: randomUUID(),
  inferenceId: randomUUID(),
  objectKey: `i/${randomUUID()}`,
  amountAtomic: 3_000n,
  request: { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word' } },
  terms: {
    network: 'eip155:84532',
    payTo: `0x${'cc'.repeat(20)}`,
    domain: { name: 'USDC', version: '2' },
    estimatedSeconds: '3',
    estimatedCostUsdc: '0.003000',
    effectiveRateUsdc: '0.001000000',
    discountPct: '0.00',
    stakedAic: '0.000000000000000000',
  },
  authorization: { from: payer, to: payer, value: '3000', validAfter: '0', validBefore: '1795780860', nonce: '0x01' },
  signature: `0x${'11'.repeat(65)}`,
  signatureRecovered: true,
})

function claimOf(authorization: number, proof: ClaimProof | null, change: Partial<ClaimRequest> = {}): ClaimRequest {
  const payer = change.payer ?? ALICE
  return {
    chainId: 84532,
    asset: `0x${'dd'.repeat(20)}`,
    payer,
    nonce: `0x${authorization.toString(16).padStart(64, '0')}`,
    requestHash: 'hash',
    fresh: fresh(payer),
    leaseToken: randomUUID(),
    now: NOW,
    leaseUntil: after(12),
    proof,
    limitPerMinute: null,
    ...change,
  }
}

const proof = (mayUseFresh: ClaimProof['mayUseFresh'], nonce: string, key = keyOf()): ClaimProof => ({
  nonce,
  requestKey: key,
  plainAccountKeys: [],
  mayUseFresh,
})
const header = (nonce: string): ClaimProof => proof('always', nonce)
const echo = (nonce: string, key = keyOf()): ClaimProof => proof('never', nonce, key)
const openQuote = (nonce: string): ClaimProof => proof('to_claim', nonce)

/** The same behaviour on PGlite and, where it is installed, on PostgreSQL, whose locks and races are real. */
function suite(open: () => Promise<InProcessDatabase | null>): void {
  let db: InProcessDatabase
  beforeAll(async () => {
    const opened = await open()
    if (opened === null) throw new Error('no database')
    db = opened
  })
  afterAll(() => db.close())
  beforeEach(() => db.reset())

  const kindOf = async (...claim: Parameters<typeof claimOf>) =>
    (await claimPayment(db.database, claimOf(...claim))).kind
  const bind = (nonce: string, boundTo = keyOf()) => bindNonce(db.database, { nonce, boundTo, now: NOW })

  it('default: a header’s nonce is good for one authorization, and for that one again', async () => {
    expect(await kindOf(1, header('n'))).toBe('new')
    expect(await kindOf(1, header('n'))).toBe('busy')
    expect(await kindOf(2, header('n'))).toBe('unproven')
    expect(await kindOf(2, header('m'))).toBe('new')
  })

  it('behavior: a nonce that an unpaid call bound is good for one payment of that request', async () => {
    expect(await bind('n')).toBe(true)
    expect(await bind('n')).toBe(true)
    expect(await bind('n', keyOf(ALICE, 'other'))).toBe(false)
    expect(await kindOf(1, echo('n'))).toBe('new')
    expect(await kindOf(1, echo('n'))).toBe('busy')
    expect(await kindOf(2, echo('n'))).toBe('unproven')
    expect(await kindOf(2, header('n'))).toBe('unproven')
  })

  it('error: a bound nonce with another payer, another body, or ten minutes late', async () => {
    await bind('n')
    expect(await kindOf(1, echo('n', keyOf(BOB)), { payer: BOB })).toBe('unproven')
    expect(await kindOf(1, echo('n', keyOf(ALICE, 'other')), { requestHash: 'other' })).toBe('unproven')
    expect(await kindOf(1, echo('n'), { now: after(601) })).toBe('unproven')
    expect(await kindOf(1, echo('n'), { now: after(599) })).toBe('new')
  })

  it('error: a nonce that no one bound, or that signed a session in', async () => {
    expect(await kindOf(1, echo('never'))).toBe('unproven')
    await bind('other', 'request 84532 0x00 hash')
    expect(await kindOf(1, header('other'))).toBe('unproven')
  })

  it('behavior: a plain account may sign in and pay on two chains, a contract wallet not', async () => {
    const elsewhere = requestKey({ address: ALICE, chainId: 1, requestHash: 'hash' })
    const proven = (nonce: string): ClaimProof => ({ ...echo(nonce), plainAccountKeys: [elsewhere] })
    await bind('n', elsewhere)
    const contract = { ...fresh(ALICE), signatureRecovered: false }
    expect(await kindOf(1, proven('n'), { fresh: contract })).toBe('unproven')
    expect(await kindOf(1, proven('n'))).toBe('new')
    expect(await kindOf(2, null, { fresh: contract })).toBe('new')
    await bind('m', elsewhere)
    expect(await kindOf(2, proven('m'))).toBe('unproven')
  })

  it('behavior: a payment that is refused takes no nonce', async () => {
    expect(await kindOf(1, header('n'), { fresh: null })).toBe('refused')
    expect(await kindOf(1, header('n'), { limitPerMinute: 0 })).toBe('limited')
    expect(await kindOf(1, header('n'))).toBe('new')
  })

  it('behavior: an open quote’s nonce claims once, and finds nothing that it did not claim', async () => {
    expect(await kindOf(1, null)).toBe('new')
    expect(await kindOf(1, openQuote('n'))).toBe('unproven')
    expect(await kindOf(2, openQuote('n'))).toBe('new')
    expect(await kindOf(2, openQuote('n'))).toBe('busy')
    expect(await kindOf(3, openQuote('n'))).toBe('unproven')
    expect(await kindOf(1, header('m'))).toBe('busy')
  })

  it('behavior: the nonce stays with its row after its own was purged', async () => {
    await bind('n')
    expect(await kindOf(1, echo('n'))).toBe('new')
    await db.database.run(sql`delete from used_nonces`)
    expect(await kindOf(1, echo('n'), { now: after(90_000) })).toBe('taken')
    expect(await kindOf(2, echo('n'), { now: after(90_000) })).toBe('unproven')
  })

  it('behavior: of twenty payments at once with one nonce, of two payers, one is claimed', async () => {
    const claims = Array.from({ length: 20 }, (_, at) =>
      kindOf(at + 1, openQuote('n'), at % 2 === 0 ? {} : { payer: BOB }),
    )
    expect((await Promise.all(claims)).sort()).toEqual(['new', ...new Array(19).fill('unproven')])
  })
}

describe('nonces of challenges on PGlite', () => suite(() => openInProcessDatabase()))

const postgres: TestPostgres | null = await startPostgres()
describe.skipIf(postgres === null)('nonces of challenges on PostgreSQL', () => {
  suite(() => (postgres === null ? Promise.resolve(null) : openInProcessDatabase({ postgresUrl: postgres.url })))
  afterAll(() => postgres?.close())
})
