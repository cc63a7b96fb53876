import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import {
  ALICE,
  afterSeconds,
  BOB,
  claimRequest,
  NOW,
  newPayment,
  nonceAt,
  onEachDatabase,
} from '../../test/helpers/claims.ts'
import { bindNonce, type ClaimProof, requestKey } from './challenge-nonces.ts'
import { type ClaimRequest, claimPayment } from './claim-payment.ts'

const keyOf = (address = ALICE, requestHash = 'hash'): string => requestKey({ address, chainId: 84532, requestHash })

const proof = (mayUseFresh: ClaimProof['mayUseFresh'], nonce: string, key = keyOf()): ClaimProof => ({
  nonce,
  requestKey: key,
  plainAccountKeys: [],
  mayUseFresh,
})
const header = (nonce: string): ClaimProof => proof('always', nonce)
const echo = (nonce: string, key = keyOf()): ClaimProof => proof('never', nonce, key)
const openQuote = (nonce: string): ClaimProof => proof('to_claim', nonce)

await onEachDatabase('nonces of challenges', (db) => {
  const kindOf = async (authorization: number, proof: ClaimProof | null, change: Partial<ClaimRequest> = {}) =>
    (await claimPayment(db.database, claimRequest({ nonce: nonceAt(authorization), proof, ...change }))).kind
  const bind = (nonce: string, boundTo = keyOf()) =>
    bindNonce(db.database, { nonce, address: ALICE, boundTo, now: NOW })

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

  it('error: M2 a purchase and a bound proof move the last visit, a refused one does not', async () => {
    const seen = async (): Promise<unknown> =>
      (await db.database.run(sql`select extract(epoch from last_seen_at)::float8 * 1000 as at from users`))[0]?.['at']
    const boundTo = keyOf()
    const at = (seconds: number) => ({ now: afterSeconds(seconds) })
    await kindOf(1, header('first'))
    expect(await seen()).toBe(NOW.getTime())
    await bindNonce(db.database, { nonce: 'n', address: ALICE, boundTo, ...at(5) })
    expect(await seen()).toBe(afterSeconds(5).getTime())
    await bindNonce(db.database, { nonce: 'first', address: ALICE, boundTo, ...at(6) })
    expect(await kindOf(2, header('first'), at(6))).toBe('unproven')
    expect(await seen()).toBe(afterSeconds(5).getTime())
    expect(await kindOf(2, header('other'), at(7))).toBe('new')
    expect(await seen()).toBe(afterSeconds(7).getTime())
  })

  it('error: a bound nonce with another payer, another body, or ten minutes late', async () => {
    await bind('n')
    expect(await kindOf(1, echo('n', keyOf(BOB)), { payer: BOB })).toBe('unproven')
    expect(await kindOf(1, echo('n', keyOf(ALICE, 'other')), { requestHash: 'other' })).toBe('unproven')
    expect(await kindOf(1, echo('n'), { now: afterSeconds(601) })).toBe('unproven')
    expect(await kindOf(1, echo('n'), { now: afterSeconds(599) })).toBe('new')
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
    const contract = { ...newPayment(ALICE), signatureRecovered: false }
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
    expect(await kindOf(1, echo('n'), { now: afterSeconds(90_000) })).toBe('taken')
    expect(await kindOf(2, echo('n'), { now: afterSeconds(90_000) })).toBe('unproven')
  })

  it('behavior: of twenty payments at once with one nonce, of two payers, one is claimed', async () => {
    const claims = Array.from({ length: 20 }, (_, at) =>
      kindOf(at + 1, openQuote('n'), at % 2 === 0 ? {} : { payer: BOB }),
    )
    expect((await Promise.all(claims)).sort()).toEqual(['new', ...new Array(19).fill('unproven')])
  })
})
