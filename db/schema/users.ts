import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** A wallet that signed in or paid. `address` is lower case. */
export const users = pgTable('users', {
  address: text('address').primaryKey(),
  createdAt: instant('created_at').notNull().defaultNow(),
  lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
})

/** Times of a wallet's latest paid claims: the exact sliding window of the paid limit, one short row per wallet. */
export const paidRates = pgTable('paid_rates', {
  payer: text('payer').primaryKey(),
  recent: instant('recent').array().notNull(),
})

/**
 * Nonces that were used, of sign-ins and of challenges; kept an hour, longer than any nonce lives. A challenge's nonce names what
 * it was used for (`db/queries/challenge-nonces.ts`); a sign-in's has null there.
 */
export const usedNonces = pgTable(
  'used_nonces',
  { nonce: text('nonce').primaryKey(), usedAt: instant('used_at').notNull(), boundTo: text('bound_to') },
  (t) => [index('used_nonces_used_at_idx').on(t.usedAt)],
)
