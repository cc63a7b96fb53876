import { randomUUID } from 'node:crypto'
import { afterAll, describe } from 'vitest'
import type { Database } from '../../db/client.ts'
import type { ClaimRequest, NewPayment } from '../../db/queries/claim-payment.ts'
import { openInProcessDatabase, useDatabase } from './in-process-database.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'

export const NOW = new Date('2026-11-27T12:00:00.000Z')
export const ASSET = `0x${'bb'.repeat(20)}`
export const ALICE = `0x${'a1'.repeat(20)}` as const
export const BOB = `0x${'b0'.repeat(20)}` as const

export const afterSeconds = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000)
export const nonceAt = (count: number): `0x${string}` => `0x${count.toString(16).padStart(64, '0')}`

/** A payment that no row has yet, of 0.003 USDC for a text. */
export const newPayment = (payer: string = ALICE): NewPayment => ({
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
  authorization: {
    from: `0x${payer.slice(2)}`,
    to: `0x${payer.slice(2)}`,
    value: '3000',
    validAfter: '0',
    validBefore: '1795780860',
    nonce: nonceAt(1),
  },
  signature: `0x${'11'.repeat(65)}`,
  signatureRecovered: true,
})

/** A claim of a new payment, without a proof and without a limit. */
export function claimRequest(change: Partial<ClaimRequest> = {}): ClaimRequest {
  const payer = change.payer ?? ALICE
  return {
    chainId: 84532,
    asset: ASSET,
    payer,
    nonce: nonceAt(1),
    requestHash: 'hash',
    fresh: newPayment(payer),
    leaseToken: randomUUID(),
    now: NOW,
    leaseUntil: afterSeconds(12),
    proof: null,
    limitPerMinute: null,
    ...change,
  }
}

/** Runs the same tests on PGlite and, where it is installed, on PostgreSQL, whose locks and races are real. */
export async function onEachDatabase(name: string, suite: (db: { readonly database: Database }) => void) {
  describe(`${name} on PGlite`, () => suite(useDatabase()))
  const postgres: TestPostgres | null = await startPostgres()
  describe.skipIf(postgres === null)(`${name} on PostgreSQL`, () => {
    suite(useDatabase(() => openInProcessDatabase({ postgresUrl: postgres?.url ?? '' })))
    afterAll(() => postgres?.close())
  })
}
