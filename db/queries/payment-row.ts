import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { once } from '../once.ts'
import { paymentState } from '../schema/columns.ts'
import { at } from '../statement.ts'

/** Built when the first row is read: an isolate that starts has no time for sixty schemas. */
const schemas = once(() => {
  const time = z.union([z.string(), z.date()]).transform((value) => new Date(value))
  /** The request, with the model's defaults applied. */
  const request = z.object({
    task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
    model: z.string(),
    input: z.record(z.string(), z.unknown()),
  })
  /** The terms a payment was made under: fixed by its quote, or by the price when it was claimed. */
  const terms = z.object({
    network: z.string(),
    payTo: z.string(),
    /** EIP-712 domain of the asset. */
    domain: z.object({ name: z.string(), version: z.string() }),
    /** Seconds, a decimal string. */
    estimatedSeconds: z.string(),
    estimatedCostUsdc: z.string(),
    /** USDC per second after the discount, a decimal string. */
    effectiveRateUsdc: z.string(),
    discountPct: z.string(),
    stakedAic: z.string(),
  })
  const authorization = z.object({
    from: z.string(),
    to: z.string(),
    value: z.string(),
    validAfter: z.string(),
    validBefore: z.string(),
    nonce: z.string(),
  })
  const payment = z.object({
    id: z.string(),
    chain_id: z.number(),
    asset: z.string(),
    payer: z.string(),
    nonce: z.string(),
    amount: z.string(),
    request,
    request_hash: z.string(),
    quote: terms,
    authorization,
    signature: z.string(),
    signature_recovered: z.boolean(),
    state: z.enum(paymentState.enumValues),
    tx_hash: z.string().nullable(),
    sent_tx_hash: z.string().nullable(),
    settle_resends: z.number(),
    provider_prediction_id: z.string().nullable(),
    object_key: z.string(),
    inference_id: z.string(),
    attempts: z.number(),
    next_attempt_at: time.nullable(),
    lease_until: time.nullable(),
    lease_token: z.string().nullable(),
    reason: z.string().nullable(),
    settled_at: time.nullable(),
    output_digests: z.array(z.string().nullable()).nullable(),
    chain_checked_at: time.nullable(),
    rerun_at: time.nullable(),
    resolved_at: time.nullable(),
    resolution: z.string().nullable(),
    created_at: time,
    updated_at: time,
  })
  return { payment, columns: Object.keys(payment.shape) }
})

type PaymentRow = z.infer<ReturnType<typeof schemas>['payment']>
export type Terms = PaymentRow['quote']

/** A row of the journal, decoded. Addresses, nonce and hash are lower case. */
export interface Payment {
  id: string
  chainId: number
  asset: `0x${string}`
  payer: `0x${string}`
  nonce: `0x${string}`
  amountAtomic: bigint
  request: PaymentRow['request']
  requestHash: string
  terms: Terms
  authorization: Record<'from' | 'to' | 'nonce', `0x${string}`> & Record<'value' | 'validAfter' | 'validBefore', string>
  signature: `0x${string}`
  signatureRecovered: boolean
  state: PaymentRow['state']
  /** As stored: `hash` or `hash#logIndex`; answers show the bare hash. */
  txHash: string | null
  /** The transaction a facilitator named while the settlement stayed unclear. */
  sentTxHash: `0x${string}` | null
  /** How often `/settle` was sent again. */
  settleResends: number
  predictionId: string | null
  objectKey: string
  inferenceId: string
  attempts: number
  nextAttemptAt: Date | null
  leaseUntil: Date | null
  leaseToken: string | null
  reason: string | null
  settledAt: Date | null
  /** SHA-256 of each stored file, 64 hex digits; null where it is not known yet. */
  outputDigests: (string | null)[] | null
  chainCheckedAt: Date | null
  rerunAt: Date | null
  resolvedAt: Date | null
  resolution: string | null
  createdAt: Date
  updatedAt: Date
}

/**
 * True if the journal has the buyer's input. It is dropped, to an empty object, when a payment is rejected before anything was
 * sent to be settled; the same request with the same payment brings it back. No model takes an empty input.
 */
export const hasInput = ({ request }: Payment): boolean => Object.keys(request.input).length > 0

const asText = new Set(['id', 'amount', 'inference_id', 'state'])

/** The journal's columns of a table or CTE, each as `p_<name>`, so that a join may carry them beside others. */
export function paymentColumns(alias: string): SQL {
  return sql.raw(
    schemas()
      .columns.map((c) => `${alias}.${c}${asText.has(c) ? '::text' : ''} as p_${c}`)
      .join(', '),
  )
}

/** The key of a row of the journal: its id, and its time, which leads to its month. */
export interface PaymentRef {
  id: string
  createdAt: Date
}

/**
 * The condition on `table` that is this one row's. With the time as a value the planner reads its month alone; a time has microseconds
 * in the database and milliseconds here.
 */
export function isPayment(table: string, { id, createdAt }: PaymentRef): SQL {
  const [idColumn, timeColumn] = [sql.raw(`${table}.id`), sql.raw(`${table}.created_at`)]
  return sql`${idColumn} = ${id}::uuid and ${timeColumn} >= ${at(createdAt)} and ${timeColumn} < ${at(new Date(createdAt.getTime() + 1))}`
}

/** Joins the journal's rows, as `p`, to those of `payment_keys`, as `k`: by the time of each only its month is read. */
export const keyedPayments = sql.raw(
  'payment_keys k join payments p on p.id = k.payment_id and p.created_at = k.created_at',
)

const hex = (text: string): `0x${string}` => `0x${text.slice(2)}`

/** Decodes the `p_…` columns of a row; null when the join found no payment. Throws when the row is not of our making. */
export function readPayment(row: Record<string, unknown>): Payment | null {
  if (row['p_id'] === null || row['p_id'] === undefined) return null
  return paymentOf(Object.fromEntries(schemas().columns.map((c) => [c, row[`p_${c}`]])))
}

/** Decodes a row that a function of the database answers with; null without one. Throws when the row is not of our making. */
export function paymentOf(row: unknown): Payment | null {
  if (row === null || row === undefined) return null
  const p = schemas().payment.parse(row)
  return {
    id: p.id,
    chainId: p.chain_id,
    asset: hex(p.asset),
    payer: hex(p.payer),
    nonce: hex(p.nonce),
    amountAtomic: BigInt(p.amount),
    request: p.request,
    requestHash: p.request_hash,
    terms: p.quote,
    authorization: {
      ...p.authorization,
      from: hex(p.authorization.from),
      to: hex(p.authorization.to),
      nonce: hex(p.authorization.nonce),
    },
    signature: hex(p.signature),
    signatureRecovered: p.signature_recovered,
    state: p.state,
    txHash: p.tx_hash,
    sentTxHash: p.sent_tx_hash === null ? null : hex(p.sent_tx_hash),
    settleResends: p.settle_resends,
    predictionId: p.provider_prediction_id,
    objectKey: p.object_key,
    inferenceId: p.inference_id,
    attempts: p.attempts,
    nextAttemptAt: p.next_attempt_at,
    leaseUntil: p.lease_until,
    leaseToken: p.lease_token,
    reason: p.reason,
    settledAt: p.settled_at,
    outputDigests: p.output_digests,
    chainCheckedAt: p.chain_checked_at,
    rerunAt: p.rerun_at,
    resolvedAt: p.resolved_at,
    resolution: p.resolution,
    createdAt: p.created_at,
    updatedAt: p.updated_at,
  }
}
