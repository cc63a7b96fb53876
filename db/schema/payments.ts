import { desc, sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, numeric, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant, paymentState } from './columns.ts'

/**
 * The journal: one row per payment authorization, from the claim on. It carries all that is needed to finish the purchase
 * without the client. `next_attempt_at` is set exactly while a driver still has to check the row. Partitioned by the month of
 * `created_at` (`db/start/payment-months.sql`); what must be unique over all months is in `payment_keys`.
 */
export const payments = pgTable(
  'payments',
  {
    id: uuid('id').notNull(),
    chainId: integer('chain_id').notNull(),
    /** Token contract, lower case. */
    asset: text('asset').notNull(),
    /** `authorization.from`, lower case. */
    payer: text('payer').notNull(),
    /** EIP-3009 nonce, lower case hex. */
    nonce: text('nonce').notNull(),
    /** Atomic units of the asset. */
    amount: numeric('amount', { precision: 78, scale: 0 }).notNull(),
    /** `{ task, model, input }` with defaults applied. */
    request: jsonb('request').notNull(),
    requestHash: text('request_hash').notNull(),
    quote: jsonb('quote').notNull(),
    authorization: jsonb('authorization').notNull(),
    signature: text('signature').notNull(),
    /** False for contract wallets: their record is shown only to a session of the payment's chain. */
    signatureRecovered: boolean('signature_recovered').notNull(),
    /** The challenge's nonce that this payment was signed in with; null for a cookie's. It is never sent to anyone. */
    signInNonce: text('sign_in_nonce'),
    /** The buyer's own name for this payment, of x402's extension payment-identifier. */
    paymentIdentifier: text('payment_identifier'),
    state: paymentState('state').notNull(),
    /** The hash, or `hash#logIndex` where one transaction settled several authorizations. */
    txHash: text('tx_hash'),
    /** The transaction a facilitator named while the settlement stayed unclear. */
    sentTxHash: text('sent_tx_hash'),
    /** How often `/settle` was sent again. */
    settleResends: integer('settle_resends').notNull().default(0),
    providerPredictionId: text('provider_prediction_id'),
    /** Prefix of this purchase's objects, drawn at the claim. */
    objectKey: text('object_key').notNull(),
    /** Drawn at the first claim and kept. */
    inferenceId: uuid('inference_id').notNull(),
    /** Failed tries since settlement. */
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    leaseUntil: instant('lease_until'),
    /** Names the driver that holds the lease; every move of a driver is conditional on it. */
    leaseToken: text('lease_token'),
    /** Why it was rejected, is owed or still waits: for the caller and the operator. */
    reason: text('reason'),
    settledAt: instant('settled_at'),
    /** SHA-256 of each stored file, 64 hex digits, null until it is read: for receipts. A text has no stored file. */
    outputDigests: jsonb('output_digests'),
    /** When the chain was checked after the authorization had expired. */
    chainCheckedAt: instant('chain_checked_at'),
    /** When an operator had a failed run tried again: older runs do not count. */
    rerunAt: instant('rerun_at'),
    /** When an operator refunded an owed payment by hand, and how. */
    resolvedAt: instant('resolved_at'),
    resolution: text('resolution'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'payments_id_created_at_pk', columns: [t.id, t.createdAt] }),
    index('payments_due_idx').on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    index('payments_payer_idx').on(t.payer, desc(t.createdAt)),
    index('payments_under_way_idx')
      .on(t.payer, desc(t.createdAt), desc(t.inferenceId))
      .where(sql`${t.state} = 'settled'`),
    index('payments_prediction_idx').on(t.providerPredictionId).where(sql`${t.providerPredictionId} is not null`),
    index('payments_identifier_idx').on(t.payer, t.paymentIdentifier).where(sql`${t.paymentIdentifier} is not null`),
    index('payments_state_idx').on(t.state, desc(t.createdAt)),
  ],
)

/**
 * One short row per payment, with all that must be unique and the time that leads to its month. Triggers of `payments` write it,
 * nothing else does. A row lives as long as its payment.
 */
export const paymentKeys = pgTable(
  'payment_keys',
  {
    paymentId: uuid('payment_id').primaryKey(),
    chainId: integer('chain_id').notNull(),
    asset: text('asset').notNull(),
    payer: text('payer').notNull(),
    nonce: text('nonce').notNull(),
    txHash: text('tx_hash').unique(),
    inferenceId: uuid('inference_id').notNull().unique(),
    /** That of the payment. */
    createdAt: instant('created_at').notNull(),
  },
  (t) => [unique('payment_keys_authorization_key').on(t.chainId, t.asset, t.payer, t.nonce)],
)
