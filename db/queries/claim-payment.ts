import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { once } from '../once.ts'
import { json } from '../statement.ts'
import type { ClaimProof } from './challenge-nonces.ts'
import { type InferenceRecord, inferenceOf } from './inference-row.ts'
import { type Payment, paymentOf, type Terms } from './payment-row.ts'

/** The columns that a first claim writes: everything needed to finish without the client. */
export interface NewPayment {
  id: string
  inferenceId: string
  objectKey: string
  amountAtomic: bigint
  request: Payment['request']
  terms: Terms
  authorization: Payment['authorization']
  signature: string
  signatureRecovered: boolean
}

export interface ClaimRequest {
  chainId: number
  /** Lower case, like `payer` and `nonce`. */
  asset: string
  payer: string
  nonce: string
  requestHash: string
  /** This call's request, to replace an input that was dropped; null when its body is not valid. */
  request?: Payment['request'] | null
  /** The buyer's own name for this payment; a new claim keeps it. */
  identifier?: string | null
  /** Null when something refuses this payment: then nothing new is written, what is there is still found. */
  fresh: NewPayment | null
  leaseToken: string
  now: Date
  leaseUntil: Date
  /** How the caller proved its wallet for this one request; null for a session's cookie. */
  proof: ClaimProof | null
  /** New claims a wallet may make per minute; null for no limit. */
  limitPerMinute: number | null
}

const answerSchema = once(() =>
  z.object({
    /** What each says is in `db/functions/claim-payment.sql`. */
    kind: z.enum([
      'new',
      'reclaimed',
      'taken',
      'busy',
      'waiting',
      'ended',
      'rejected',
      'refused',
      'limited',
      'other_request',
      'identifier_used',
      'unproven',
    ]),
    payment: z.unknown().optional(),
    record: z.unknown().optional(),
    windowEnds: z.string().nullish(),
  }),
)

export type ClaimKind = z.infer<ReturnType<typeof answerSchema>>['kind']

export interface ClaimResult {
  kind: ClaimKind
  payment: Payment | null
  /** Of an ended payment. */
  record: InferenceRecord | null
  /** For `limited`: when the oldest claim of the window leaves it. */
  windowEnds: Date | null
  limit: number | null
  now: Date
}

/** Looks the authorization up and claims it when it is new: one round trip. The rules are in `db/functions/claim-payment.sql`. */
export async function claimPayment(database: Database, claim: ClaimRequest): Promise<ClaimResult> {
  const fresh = claim.fresh && { ...claim.fresh, amountAtomic: claim.fresh.amountAtomic.toString() }
  const [row] = await database.run(sql`select claim_payment_1(${json({ ...claim, fresh })}) as answer`)
  const { kind, payment, record, windowEnds } = answerSchema().parse(row?.['answer'])
  return {
    kind,
    payment: paymentOf(payment),
    record: inferenceOf(record),
    windowEnds: windowEnds ? new Date(windowEnds) : null,
    limit: claim.limitPerMinute,
    now: claim.now,
  }
}
