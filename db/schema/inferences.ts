import { desc, sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { inferenceStatus, instant, outputType, taskType } from './columns.ts'
import { users } from './users.ts'

/** One paid model run. Inserted once, at the end of a purchase; as `pending` only when the purchase outlives its call. */
export const inferences = pgTable(
  'inferences',
  {
    id: uuid('id').primaryKey(),
    userAddress: text('user_address')
      .notNull()
      .references(() => users.address),
    taskType: taskType('task_type').notNull(),
    model: text('model').notNull(),
    input: jsonb('input').notNull(),
    outputType: outputType('output_type').notNull(),
    /** `{ text, tokens? }` or `{ urls }`; null until the run has ended. */
    outputData: jsonb('output_data'),
    status: inferenceStatus('status').notNull(),
    predictTimeMs: integer('predict_time_ms'),
    estimatedCostUsdc: numeric('estimated_cost_usdc', { precision: 18, scale: 6 }).notNull(),
    actualCostUsdc: numeric('actual_cost_usdc', { precision: 18, scale: 6 }),
    paymentTxHash: text('payment_tx_hash').unique(),
    paymentChainId: integer('payment_chain_id'),
    stakedAicAtTime: numeric('staked_aic_at_time', { precision: 30, scale: 18 }),
    discountPct: numeric('discount_pct', { precision: 5, scale: 2 }),
    effectiveRateUsdc: numeric('effective_rate_usdc', { precision: 18, scale: 9 }),
    createdAt: instant('created_at').notNull().defaultNow(),
    completedAt: instant('completed_at'),
    /** `{ code, detail }` of a failed run. */
    error: jsonb('error'),
  },
  (t) => [
    index('inferences_owner_idx').on(t.userAddress, desc(t.createdAt), desc(t.id)),
    index('inferences_status_idx').on(t.status, desc(t.createdAt), desc(t.id)),
    index('inferences_model_times_idx')
      .on(t.model, desc(t.completedAt))
      .where(sql`${t.status} = 'succeeded' and ${t.predictTimeMs} > 0`),
  ],
)

/** Results that their owner shows to anyone with the link. A share that is taken back has no row. */
export const shares = pgTable('shares', {
  /** Random, so that no one finds a share without its link. */
  id: uuid('id').primaryKey(),
  /** At most one share of an inference. */
  inferenceId: uuid('inference_id').notNull().unique(),
  showsPrompt: boolean('shows_prompt').notNull(),
  /** Prefix of the copies that are shown: the purchase's own files would tell when it was made. */
  objectKey: text('object_key').notNull(),
  createdAt: instant('created_at').notNull(),
})
