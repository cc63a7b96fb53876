import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../../db/client.ts'
import { claimPayment } from '../../db/queries/claim-payment.ts'
import { readHistory } from '../../db/queries/history.ts'
import { readModels } from '../../db/queries/models.ts'
import { readStatSums } from '../../db/queries/stats.ts'
import { BIG_BUYER } from './generate.ts'

const PAGE = 20
const hex = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`

/** The database's share of four calls, by the worker's own queries. */
export const QUERIES: Record<string, (database: Database) => Promise<unknown>> = {
  estimate: readModels,
  'history page': (database) => readHistory(database, { owner: BIG_BUYER, chainId: 8453, limit: PAGE }),
  'history page, deep': (database) =>
    readHistory(database, {
      owner: BIG_BUYER,
      chainId: 8453,
      limit: PAGE,
      // Five hundred seconds back: the oldest half of a thousand purchases, the newest of a million.
      after: { micros: BigInt(Date.parse('2026-01-01')) * 1000n - 500_000_000n, id: randomUUID() },
    }),
  stats: readStatSums,
  claim: (database) => claim(database),
}

async function claim(database: Database): Promise<void> {
  const now = new Date()
  const leaseUntil = new Date(now.getTime() + 12_000)
  const nonce = hex()
  const { kind } = await claimPayment(database, {
    chainId: 8453,
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    payer: BIG_BUYER,
    nonce,
    requestHash: hex().slice(2),
    leaseToken: randomUUID(),
    now,
    leaseUntil,
    proof: null,
    limitPerMinute: 1_000_000,
    fresh: {
      id: randomUUID(),
      inferenceId: randomUUID(),
      objectKey: `i/${randomUUID()}`,
      amountAtomic: 10_000n,
      request: { task: 'text-to-image', model: 'black-forest-labs/flux-schnell', input: { prompt: 'a red bicycle' } },
      terms: {
        network: 'eip155:8453',
        payTo: BIG_BUYER,
        domain: { name: 'USD Coin', version: '2' },
        estimatedSeconds: '10',
        estimatedCostUsdc: '0.010000',
        effectiveRateUsdc: '0.001000000',
        discountPct: '0.00',
        stakedAic: '0',
      },
      authorization: {
        from: BIG_BUYER,
        to: BIG_BUYER,
        value: '10000',
        validAfter: '0',
        validBefore: '1767225600',
        nonce,
      },
      signature: `0x${'1'.repeat(130)}`,
      signatureRecovered: true,
    },
  })
  if (kind !== 'new') throw new Error(`a new claim was ${kind}`)
}
