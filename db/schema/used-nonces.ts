import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Sign-in nonces that were used; kept an hour, longer than any nonce lives. */
export const usedNonces = pgTable(
  'used_nonces',
  { nonce: text('nonce').primaryKey(), usedAt: instant('used_at').notNull() },
  (t) => [index('used_nonces_used_at_idx').on(t.usedAt)],
)
