import { neon, neonConfig } from '@neondatabase/serverless'
import type { SettleContext } from '@x402/core/server'
import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/neon-http'
import * as z from 'zod'
import { inferences } from '../../db/schema/inferences.ts'
import { payments } from '../../db/schema/payments.ts'
import { users } from '../../db/schema/users.ts'

export const authorizationSchema = z.object({
  signature: z.string(),
  authorization: z.object({ from: z.string(), nonce: z.string(), value: z.string() }),
})

type Payment = Pick<SettleContext, 'paymentPayload' | 'requirements'>
type Row = { inferenceId: string; payer: string; txHash: string | null }
type Changes = Partial<typeof payments.$inferInsert>
type Result = Pick<typeof inferences.$inferInsert, 'input' | 'model' | 'outputData' | 'predictTimeMs'> & {
  digest: string
}

const CHAIN_ID = 31_337
const LEASE_MS = 60_000

function open(env: Record<string, string>) {
  neonConfig.fetchEndpoint = env['DATABASE_HTTP_URL'] ?? ''
  return drizzle(neon(env['DATABASE_URL'] ?? ''))
}

/** Changes the row of this authorization. */
const change = (database: ReturnType<typeof open>, nonce: string, changes: Changes) =>
  database
    .update(payments)
    .set({ ...changes, updatedAt: new Date() })
    .where(and(eq(payments.nonce, nonce), eq(payments.chainId, CHAIN_ID)))

function claimed({ paymentPayload, requirements }: Payment): typeof payments.$inferInsert {
  const { signature, authorization } = authorizationSchema.parse(paymentPayload.payload)
  const now = new Date()
  return {
    id: crypto.randomUUID(),
    chainId: CHAIN_ID,
    asset: requirements.asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce,
    amount: authorization.value,
    request: {},
    requestHash: '',
    quote: requirements,
    authorization,
    signature,
    signatureRecovered: true,
    state: 'settling',
    objectKey: crypto.randomUUID(),
    inferenceId: crypto.randomUUID(),
    nextAttemptAt: now,
    leaseUntil: new Date(now.getTime() + LEASE_MS),
    leaseToken: crypto.randomUUID(),
    createdAt: now,
    updatedAt: now,
  }
}

const recordOf = (row: Row, { digest: _digest, ...output }: Result): typeof inferences.$inferInsert => ({
  ...output,
  id: row.inferenceId,
  userAddress: row.payer,
  taskType: 'text-to-image',
  outputType: 'image',
  status: 'succeeded',
  estimatedCostUsdc: '0.010000',
  actualCostUsdc: '0.001234',
  paymentTxHash: row.txHash,
  paymentChainId: CHAIN_ID,
  completedAt: new Date(),
})

const ENDED: Changes = { state: 'done', nextAttemptAt: null, leaseUntil: null, leaseToken: null }

/** The same writes as those of the worker's journal, in as many trips, with drizzle over Neon's HTTP driver. */
export function stockJournal(env: Record<string, string>) {
  const database = open(env)
  return {
    /** First trip: the buyer, and the payment with its lease, before anything is settled. */
    async claim(payment: Payment): Promise<void> {
      const row = claimed(payment)
      const buyer = database.insert(users).values({ address: row.payer }).onConflictDoNothing()
      await database.batch([buyer, database.insert(payments).values(row)])
    },

    /** Second trip. */
    async settled({ paymentPayload }: Payment, txHash: string): Promise<void> {
      const { nonce } = authorizationSchema.parse(paymentPayload.payload).authorization
      await change(database, nonce, { state: 'settled', txHash, settledAt: new Date() })
    },

    /** Third trip: the run's id. Returns what was drawn at the claim. */
    async running(nonce: string, providerPredictionId: string) {
      const { inferenceId, objectKey, payer, txHash } = payments
      const drawn = { inferenceId, objectKey, payer, txHash }
      const [row] = await change(database, nonce, { providerPredictionId }).returning(drawn)
      if (row === undefined) throw new Error('there is no such payment')
      return row
    },

    /** Fourth trip: the record, and the payment's end. */
    async done(nonce: string, row: Row, result: Result): Promise<void> {
      const record = database.insert(inferences).values(recordOf(row, result))
      await database.batch([record, change(database, nonce, { ...ENDED, outputDigests: [result.digest] })])
    },
  }
}
