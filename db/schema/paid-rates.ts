import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Times of a wallet's latest paid claims: the exact sliding window of the paid limit, one short row per wallet. */
export const paidRates = pgTable('paid_rates', {
  payer: text('payer').primaryKey(),
  recent: instant('recent').array().notNull(),
})
